import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartError } from './start-error.ts'

/** The PEM of an authority that an option names; throws StartError where the file holds none. */
export const readAuthority = (file: string | undefined): string | undefined => {
  if (file === undefined) return undefined
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch {
    throw new StartError(`${file} is no readable certificate in PEM: check --webhook-ca.`)
  }
}
