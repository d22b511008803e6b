import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chromium, type LaunchOptions } from 'playwright'

const BY_HAND = 'npx playwright install --with-deps chromium --only-shell'

/** Chromium paths of common systems; headless shells first, as they open a page in a third of the time. */
const SYSTEM_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Finds a Chromium that starts for the browser tests, and installs one if necessary; the error otherwise names the
 * command to run.
 */
export function findChromium(say: (line: string) => void): string {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (starts(named)) return named
    throw new Error(`CHROMIUM_PATH names ${named}, which does not start: name a Chromium that does, or unset it.`)
  }
  const found = firstThatStarts()
  if (found) return found
  for (const [what, install] of INSTALLERS) {
    say(`no Chromium here, trying ${what} …`)
    if (!install()) continue
    const installed = firstThatStarts()
    if (installed) return installed
  }
  throw new Error(
    `The browser tests need Chromium and none could be installed: run "${BY_HAND}", or set CHROMIUM_PATH.`,
  )
}

/**
 * Returns the Playwright launch options of the browser tests: Chromium runs in a container as root, without background
 * traffic.
 */
export function chromiumOptions(): LaunchOptions {
  const executablePath = process.env.CHROMIUM_PATH ?? firstThatStarts()
  if (!executablePath) throw new Error('No Chromium was found: run the tests by "npm test", which installs one.')
  return {
    executablePath,
    chromiumSandbox: false,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--renderer-process-limit=1', // a tenth of the processor time of the browser tests goes into starting more
    ],
  }
}

const INSTALLERS = [
  ["Playwright's own download", () => runs('npx', ['playwright', 'install', 'chromium', '--only-shell'])],
  ['the package of Debian', installByApt],
] as const

function installByApt(): boolean {
  if (process.getuid?.() !== 0 || !runs('apt-get', ['--version'])) return false
  const install = (name: string) => runs('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', name])
  return runs('apt-get', ['update', '--quiet']) && (install('chromium-headless-shell') || install('chromium'))
}

function firstThatStarts(): string | undefined {
  return [...headlessShells(), chromium.executablePath(), ...SYSTEM_PATHS].find(starts)
}

/** Paths of Playwright's headless shells, in the folder beside the full browser of the same revision. */
function headlessShells(): string[] {
  const folders = chromium.executablePath().split('/')
  const own = folders.findIndex(folder => /^chromium-\d+$/.test(folder))
  if (own < 0) return []
  const revision = folders[own]?.replace('chromium-', 'chromium_headless_shell-')
  return globSync([...folders.slice(0, own), revision, '*', '{chrome-headless-shell,headless_shell}'].join('/'))
}

/** Whether a browser runs: an existing file may lack its libraries or be a stub, so `--version` is run. */
const starts = (path: string): boolean => runs(path, ['--version'])

function runs(command: string, args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'ignore', env, timeout: 300_000 }).status === 0
}
