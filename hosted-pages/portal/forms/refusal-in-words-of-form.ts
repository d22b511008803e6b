import type { FormOutcome } from './form-message.ts'

type Submitted = FormOutcome & { typed?: Readonly<Record<string, string>> }

/** Fields of the portal's forms by the members of control that they fill: the name of the field and its label. */
// biome-ignore format: a table reads by its columns
const FIELDS = new Map([
  ['url',         ['url',         'Address']],
  ['scale',       ['rate',        'Times as fast']],
  ['duration',    ['duration',    'Forward by']],
  ['publicKey',   ['publicKey',   'Public key']],
  ['csr',         ['csr',         'Certificate request']],
  ['certificate', ['certificate', 'Client certificate']],
  ['name',        ['name',        'Name']],
  ['from',        ['from',        'From']],
  ['to',          ['to',          'To']],
] as const)

/**
 * Returns the outcome of a refused form of the portal in its own words: a sentence that begins with a member of control
 * begins with the label of the field, which is named as the wrong one.
 */
export const inWordsOfForm = <Form extends Submitted>(form: Form): Form & { wrong?: string } => {
  const { refused = '', typed = {} } = form
  const member = /^\w+(?= )/.exec(refused)?.[0] ?? ''
  const [name, label] = FIELDS.get(member as never) ?? []
  if (name === undefined || typed[name] === undefined) return form
  return { ...form, refused: `${label}${refused.slice(member.length)}`, wrong: name }
}
