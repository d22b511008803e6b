import { statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { chooseByBeginnings } from '../bench/report/read-script-arguments.ts'
import { chromiumOptions, findChromium } from '../test/support/find-chromium.ts'
import { openScreenshotSandbox, type ScreenshotSandbox } from '../test/support/screenshot-sandbox.ts'
import { SCREENSHOTS, type Screenshot } from './screenshot-list.ts'

// npm run pictures            takes every picture of docs/screenshot-list.ts
// npm run pictures -- iris    only those whose name begins so

const GAP = 6

const chosen = chooseByBeginnings(SCREENSHOTS.map(({ name }) => name))
const wanted = SCREENSHOTS.filter(({ name }) => chosen.includes(name))

process.env.CHROMIUM_PATH = findChromium(line => console.error(line))
const browser = await chromium.launch(chromiumOptions())
try {
  for (const picture of wanted) {
    const file = join(import.meta.dirname, 'pictures', `${picture.name}.png`)
    await take(picture, file)
    console.log(`docs/pictures/${picture.name}.png  ${Math.ceil(statSync(file).size / 1024)} KB`)
  }
} finally {
  await browser.close()
}

/** Takes a screenshot in its own sandbox and writes it to a file; several shots are placed side by side. */
async function take(picture: Screenshot, file: string): Promise<void> {
  const scene = await openScreenshotSandbox()
  const shots: Buffer[] = []
  for (const shot of picture.shots) shots.push(await shoot(scene, picture, shot))
  await scene.close()
  const { width, height, dark } = picture
  const page = await browser.newPage({ viewport: { width: (width + GAP) * shots.length - GAP, height } })
  const images = shots.map(
    shot => `<img width=${width} height=${height} src="data:image/png;base64,${shot.toString('base64')}">`,
  )
  await page.setContent(
    `<body style="margin:0;display:flex;gap:${GAP}px;background:${dark ? '#000' : '#fff'}">${images.join('')}</body>`,
  )
  await page.screenshot({ path: file })
  await page.close()
}

async function shoot(
  scene: ScreenshotSandbox,
  { width, height, dark }: Screenshot,
  shot: Screenshot['shots'][number],
): Promise<Buffer> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en',
  })
  const page = await context.newPage()
  const show = async (path: string) => {
    const answer = await page.goto(new URL(path, scene.pagesUrl).href)
    if (!answer?.ok()) throw new Error(`${path} was answered with ${answer?.status()}: there is nothing to be seen.`)
  }
  await shot({ scene, page, show })
  const picture = await page.screenshot()
  await context.close()
  return picture
}
