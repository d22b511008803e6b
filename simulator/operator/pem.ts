import { OperatorError } from './operator-error.ts'

const PATTERN = /^([A-Z0-9 ]{1,40})-----\s*\n([A-Za-z0-9+/=\s]+)-----END ([A-Z0-9 ]{1,40})-----/

/** The bytes of the one PEM block that a text must hold; a private key is told apart from all else that is not wanted. */
export const readPem = (text: string, member: string, ...labels: [string, ...string[]]): Buffer => {
  const blocks = text.split('-----BEGIN ').slice(1)
  const [wanted] = labels
  if (blocks.some(block => /^[A-Z0-9 ]*PRIVATE KEY-----/.test(block))) throw privateKeySent(member)
  const [block] = blocks
  if (block === undefined) throw invalid(`${member} is not PEM: it must hold a block that begins BEGIN ${wanted}`)
  if (blocks.length > 1) throw invalid(`${member} holds ${blocks.length} PEM blocks: give one ${wanted} alone`)
  const [, label = '', body = '', end = ''] = PATTERN.exec(block) ?? []
  if (label === '' || label !== end)
    throw invalid(`${member} is a PEM block that is cut short or damaged: send it whole`)
  if (!labels.includes(label)) throw invalid(`${member} is a ${label}: give a ${wanted}`)
  return Buffer.from(body, 'base64')
}

/** What to say to somebody who has just sent what must never leave its owner (5.2). */
export const privateKeySent = (member: string): OperatorError =>
  invalid(
    `${member} holds a private key, which must never be sent to anybody: give the public part alone, of a new key pair`,
  )

/** Runs a parser over what somebody sent: whatever it throws, however deep, becomes this sentence. */
export const understood = <Value>(sentence: string, parse: () => Value): Value => {
  try {
    return parse()
  } catch (error) {
    throw error instanceof OperatorError ? error : invalid(sentence)
  }
}

export const invalid = (sentence: string): OperatorError => new OperatorError('invalid', `${sentence}.`)
