import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartError } from '../support/start-error.ts'

/** Reads the PEM of the certificate authority that `--webhook-ca` adds; throws StartError where it is unreadable. */
export const readCaFile = (file: string | undefined): string | undefined => {
  if (file === undefined) return undefined
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch {
    throw new StartError(`${file} is no readable certificate in PEM: check --webhook-ca.`)
  }
}
