import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stringify } from 'yaml'
import type { AlgorithmName } from '../../../contracts/protocol/signature-algorithms.ts'
import { newKeyPair } from '../../support/generate-keys-and-certificates.ts'
import { createTestAuthority } from './issue-certificates.ts'

const PROGRAM = join(import.meta.dirname, 'main.py')
const CURVES = { k256: 'ECDSA_SHA_256', k384: 'ECDSA_SHA_384', k521: 'ECDSA_SHA_512' } as const

/**
 * Options with which the stand-in deployment starts: lawful variants, planted violations, settings of its
 * organization file.
 */
export type StandInOptions = {
  folder: string
  variants?: readonly string[]
  violations?: readonly string[]
  settings?: Readonly<Record<string, number>>
  webhookUrl?: string
  /** Where webhooks of the second organization go; nowhere unless said. */
  secondWebhookUrl?: string
}

export type StandIn = {
  baseUrl: string
  pageUrl: string
  /** Credential lines of a deployment profile, with files in the folder. */
  credentials: Readonly<Record<string, unknown>>
  /** How often the broken path of the planted violation ran; of several, that of the one that ran least. */
  hits(): Promise<number>
  stop(): Promise<void>
}

/** Starts the stand-in deployment as a process of its own, with fresh certificates and keys in a folder. */
export const startStandIn = async (options: StandInOptions): Promise<StandIn> => {
  const { folder, variants = [], violations = [] } = options
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return `file:${name}`
  }
  const authority = await createTestAuthority()
  write('ca.pem', authority.certificate)
  const server = await authority.issue('localhost')
  write('server.pem', server.certificate)
  write('server.key', server.privateKey)
  const organization = async (id: string) => {
    const identity = await authority.issue(id)
    const keys = Object.entries(CURVES).map(([name, algorithm]) => newSigningKey(`${id}-${name}`, algorithm, write))
    const certificate = write(`${id}.pem`, identity.certificate)
    const privateKey = write(`${id}.key`, identity.privateKey)
    return {
      id,
      keys,
      profile: {
        id,
        processingAccountIds: accountsOf(id),
        ca: 'file:ca.pem',
        certificate,
        privateKey,
        signingKeys: keys.map(key => key.profile),
      },
    }
  }
  const [first, second] = [await organization('northwind'), await organization('southsea')]
  const expired = await authority.issue('northwind', Date.now() - 3_600_000)
  const [old, revoked] = [
    newSigningKey('northwind-old', 'ECDSA_SHA_256', write),
    newSigningKey('northwind-gone', 'ECDSA_SHA_256', write),
  ]
  const registered = [
    ...first.keys.map(({ entry }) => entry),
    { ...old.entry, expired: true },
    { ...revoked.entry, revoked: true },
  ]
  const config = {
    certificate: 'server.pem',
    certificate_key: 'server.key',
    client_ca: 'ca.pem',
    webhook_ca: 'ca.pem',
    host: '127.0.0.1',
    port: 0,
    page_port: 0,
    page_host: 'localhost',
    environment: 'sandbox',
    settings: options.settings ?? {},
    organizations: [
      {
        id: first.id,
        accounts: accountsOf(first.id),
        certificates: { common_names: [first.id] },
        keys: registered,
        ...(options.webhookUrl && { webhook_url: options.webhookUrl }),
      },
      {
        id: second.id,
        accounts: accountsOf(second.id),
        certificates: { common_names: [second.id] },
        keys: second.keys.map(({ entry }) => entry),
        ...(options.secondWebhookUrl && { webhook_url: options.secondWebhookUrl }),
      },
    ],
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  const argv = [...variants.flatMap(name => ['--variant', name]), ...violations.flatMap(name => ['--violation', name])]
  const { ports, stop } = await run(['--config', join(folder, 'config.json'), ...argv])
  const pageUrl = `https://localhost:${ports.page_port}`
  return {
    baseUrl: `https://localhost:${ports.port}`,
    pageUrl,
    credentials: {
      organization: first.profile,
      secondOrganization: second.profile,
      expiredIdentity: {
        certificate: write('expired.pem', expired.certificate),
        privateKey: write('expired.key', expired.privateKey),
      },
      expiredKey: old.profile,
      revokedKey: revoked.profile,
    },
    hits: () => readHits(pageUrl, authority.certificate),
    stop,
  }
}

const accountsOf = (id: string): string[] => [`${id}-shop`, `${id}-web`]

const newSigningKey = (keyId: string, algorithm: AlgorithmName, write: (name: string, text: string) => string) => {
  const { jwk, privateKey } = newKeyPair(algorithm)
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { entry: { keyid: keyId, jwk }, profile: { keyId, algorithm, privateKey: write(`${keyId}.pem`, pem) } }
}

/** Starts the program and reads its ports from the first line; `stop` ends it. */
const run = async (argv: readonly string[]) => {
  const child = spawn('python3', [PROGRAM, ...argv], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>(done => child.once('exit', () => done()))
  const failed = new Promise<never>((_, fail) => {
    child.once('error', () =>
      fail(new Error('The stand-in needs python3 (3.11 or later): install it, for instance by apt-get.')),
    )
    child.once('exit', code => fail(new Error(`The stand-in ended with ${code} before it was ready.`)))
  })
  failed.catch(() => undefined)
  const line = new Promise<string>(done => createInterface({ input: child.stdout }).once('line', done))
  const ports = JSON.parse(await Promise.race([line, failed])) as { port: number; page_port: number }
  const stop = async () => {
    child.stdin.end()
    child.kill()
    await ended
  }
  return { ports, stop }
}

const readHits = async (pageUrl: string, ca: string): Promise<number> => {
  const { Agent, fetch } = await import('undici')
  const response = await fetch(`${pageUrl}/__hits`, { dispatcher: new Agent({ connect: { ca } }) })
  const { hits } = (await response.json()) as { hits: Record<string, number> }
  const counts = Object.values(hits)
  return counts.length === 0 ? 0 : Math.min(...counts)
}

/** Writes the profile of the started stand-in deployment into its folder; returns the path. */
export const writeStandInProfile = (folder: string, standIn: StandIn, shapes: object): string => {
  const file = join(folder, 'stand-in.yaml')
  const target = { baseUrl: standIn.baseUrl, environment: 'sandbox' }
  writeFileSync(file, stringify({ name: 'Stand-in', target, ...standIn.credentials, ...shapes }))
  return file
}
