import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openTcpProxy } from '../../test/outages/tcp-proxy.ts'
import { type Cell, type Row, reasonIn, timed } from './cell.ts'

const run = promisify(execFile)

export const NETWORKS = {
  title: 'Networks and containers',
  about: `A sandbox that runs already, from its kit (\`assay kit\`) to a paid payment. For the container its start is in it, and the megabytes are
those of the image; \`ASSAY_IMAGE\` names one that is built.`,
  headings: ['The sandbox is', 'a first payment'],
}

/** Pays where the sandbox is on another port or in a container. */
export async function* tryNetworks(root: string, folder: string, pagesUrl: string): AsyncGenerator<Row> {
  const payAt = (url: string) => timed(() => payThrough(url, root, folder))
  yield { names: ['on this machine'], cells: [await payAt(pagesUrl)] }
  const proxy = await openTcpProxy(Number(new URL(pagesUrl).port))
  yield { names: ['behind one mapped port'], cells: [await payAt(`http://localhost:${proxy.port}`)] }
  yield { names: ['there, by its IP address'], cells: [await payAt(`http://127.0.0.1:${proxy.port}`)] }
  proxy.close()
  yield { names: ['in a container with mapped ports'], cells: [await inContainer(root, payAt)] }
}

/** Writes the kit that the sandbox hands out under an address, and pays with it. */
const payThrough = async (url: string, root: string, folder: string) => {
  const kit = mkdtempSync(join(folder, 'kit-'))
  const node = (...argv: string[]) => run(process.execPath, argv, { cwd: root }).catch(error => error)
  const written = await node('bin/assay.js', 'kit', 'demo-merchant', '--out', kit, '--url', url)
  return written.code ? written : node('examples/first-payment.ts', kit)
}

const ENGINES = ['docker', 'podman']

const inContainer = async (root: string, payAt: (url: string) => Promise<Cell>): Promise<Cell> => {
  const engine = ENGINES.find(name => spawnSync(name, ['info']).status === 0)
  if (!engine) return { kind: 'not tried', sentence: 'no container engine runs here' }
  const told = (...argv: string[]) => spawnSync(engine, argv, { cwd: root, encoding: 'utf8' })
  const { ASSAY_IMAGE: image = 'assay-installations' } = process.env
  const built = process.env.ASSAY_IMAGE ? undefined : told('build', '--quiet', '--tag', image, '.')
  if (built?.status)
    return { kind: 'not tried', sentence: `${engine} cannot build the image here: ${reasonOf(built.stderr)}` }
  const start = performance.now()
  const started = told('run', '--detach', '--rm', '--publish', '127.0.0.1::8080', image)
  if (started.status !== 0)
    return { kind: 'not tried', sentence: `${engine} starts no container here: ${reasonOf(started.stderr)}` }
  const container = started.stdout.trim()
  try {
    const url = `http://${told('port', container, '8080').stdout.trim().split('\n')[0]}`.replace(
      '127.0.0.1',
      'localhost',
    )
    await healthy(url)
    const cell = await payAt(url)
    const megabytes = Math.round(Number(told('image', 'inspect', '--format', '{{.Size}}', image).stdout) / 1e6)
    return cell.kind === 'paid' ? { ...cell, seconds: (performance.now() - start) / 1_000, megabytes } : cell
  } finally {
    told('kill', container)
  }
}

/** What an engine says in its last line; of an image that it cannot fetch only the name. */
const reasonOf = (text: string): string => {
  const [, image] = /initializing source docker:\/\/(\S+):|failed to resolve \S*?([\w.-]+:[\w.-]+)/.exec(text) ?? []
  return image === undefined ? reasonIn(text).replace(/^Error: /, '') : `its base ${image} cannot be fetched`
}

const healthy = async (url: string): Promise<void> => {
  const isWell = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; tries < 300 && !(await isWell()); tries += 1) await new Promise(done => setTimeout(done, 100))
}
