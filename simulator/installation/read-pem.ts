import { invalidInput, privateKeyError } from './key-and-certificate-input-errors.ts'

const PATTERN = /^([A-Z0-9 ]{1,40})-----[ \t\r]*\n([A-Za-z0-9+/=\s]+)-----END ([A-Z0-9 ]{1,40})-----/

/** Decodes the one PEM block of a text to DER; refuses other labels, and private keys with a message of their own. */
export const readPem = (text: string, member: string, ...labels: [string, ...string[]]): Buffer => {
  const blocks = text.split('-----BEGIN ').slice(1)
  const [wanted] = labels
  if (blocks.some(block => /^[A-Z0-9 ]*PRIVATE KEY-----/.test(block))) throw privateKeyError(member)
  const [block] = blocks
  if (block === undefined) throw invalidInput(`${member} is not PEM: it must hold a block that begins BEGIN ${wanted}`)
  if (blocks.length > 1) throw invalidInput(`${member} holds ${blocks.length} PEM blocks: give one ${wanted} alone`)
  const [, label = '', body = '', end = ''] = PATTERN.exec(block) ?? []
  if (label === '' || label !== end)
    throw invalidInput(`${member} is a PEM block that is cut short or damaged: send it whole`)
  if (!labels.includes(label)) throw invalidInput(`${member} is a ${label}: give a ${wanted}`)
  return Buffer.from(body, 'base64')
}
