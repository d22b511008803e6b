import { chmodSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

/** Where one caller reaches this installation. */
export type Addresses = { apiUrl: string; pagesUrl: string }

export const KEY_SET_PATH = '/.well-known/jwks.json'

/** Everything a merchant needs to call the API, with the PEM texts inside. */
export type Credentials = {
  organizationId: string
  clientId: string
  processingAccountIds: readonly string[]
  ca: string
  certificate: string
  privateKey: string
  signingKeys: readonly { keyId: string; algorithm: string; privateKey: string }[]
}

export type Kit = { apiBaseUrl: string; pagesBaseUrl: string; jwksUrl: string } & Credentials

export const kitFor = (credentials: Credentials, { apiUrl, pagesUrl }: Addresses): Kit => ({
  apiBaseUrl: apiUrl,
  pagesBaseUrl: pagesUrl,
  jwksUrl: `${apiUrl}${KEY_SET_PATH}`,
  ...credentials,
})

/** Writes a kit as PEM files and a kit.json whose paths are relative to itself; private files are for their owner alone. */
export const writeKit = (folder: string, kit: Kit): void => {
  makeFolder(folder)
  const write = (name: string, text: string, mode = 0o600): string => {
    const [file, fresh] = [join(folder, name), join(folder, `${name}.new`)]
    writeFileSync(fresh, text, { mode })
    chmodSync(fresh, mode)
    renameSync(fresh, file) // whoever reads a kit finds a whole one
    return name
  }
  const onDisk = {
    ...kit,
    ca: write('ca.pem', kit.ca, 0o644),
    certificate: write('certificate.pem', kit.certificate, 0o644),
    privateKey: write('private-key.pem', kit.privateKey),
    signingKeys: kit.signingKeys.map(key => ({
      ...key,
      privateKey: write(`signing-${key.algorithm.toLowerCase()}.pem`, key.privateKey),
    })),
  }
  write('kit.json', `${JSON.stringify(onDisk, null, 2)}\n`)
}
