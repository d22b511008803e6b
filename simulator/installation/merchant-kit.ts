import { chmodSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kitFiles, modeOf } from '../../contracts/client/kit-files.ts'
import type { Dialect } from '../../contracts/dialect/dialect.ts'
import type { DialectLines } from '../../contracts/dialect/dialect-lines.ts'
import { operationAddress } from '../../contracts/operations.ts'
import { createPrivateFolder } from '../support/private-folder.ts'

/** Base URLs at which a caller reaches the API and the pages. */
export type BaseUrls = { apiUrl: string; pagesUrl: string }

/** Credentials of a merchant for the API, with the PEM texts inside. */
export type Credentials = {
  organizationId: string
  clientId: string
  processingAccountIds: readonly string[]
  ca: string
  certificate: string
  privateKey: string
  signingKeys: readonly { keyId: string; algorithm: string; privateKey: string }[]
}

/** A merchant's kit: everything it needs to call the API, base URLs and credentials; the shape of kit.json. */
export type Kit = {
  apiBaseUrl: string
  pagesBaseUrl: string
  jwksUrl: string
  /** The dialect of the API, as lines of a profile, where it is not our own. */
  dialect?: DialectLines
} & Credentials

/** Creates a merchant's kit, the data of kit.json: its credentials, the base URLs and the key-set URL. */
export const createKit = (
  credentials: Credentials,
  { apiUrl, pagesUrl }: BaseUrls,
  { lines }: Pick<Dialect, 'lines'>,
): Kit => ({
  apiBaseUrl: apiUrl,
  pagesBaseUrl: pagesUrl,
  jwksUrl: `${apiUrl}${operationAddress('keySet', lines.paths).path}`,
  ...credentials,
  ...(Object.keys(lines).length === 0 ? {} : { dialect: lines }),
})

/** Writes a kit as PEM files and a kit.json with relative paths; files with private keys have mode 0600. */
export const writeKit = (folder: string, kit: Kit): void => {
  createPrivateFolder(folder)
  for (const one of kitFiles(kit)) {
    const [file, fresh] = [join(folder, one.name), join(folder, `${one.name}.new`)]
    writeFileSync(fresh, one.text, { mode: modeOf(one) })
    chmodSync(fresh, modeOf(one))
    renameSync(fresh, file) // readers never see a half-written file
  }
}
