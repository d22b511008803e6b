import type { FormOutcome } from './form-message.ts'

type Submitted = FormOutcome & { typed?: Readonly<Record<string, string>>; wrong?: string | undefined }

/** Fields of the portal's forms by the members of control that they fill: the name of the field and its label. */
// biome-ignore format: a table reads by its columns
const FIELDS = new Map([
  ['url',                 ['url',                 'Address']],
  ['scale',               ['rate',                'Times as fast']],
  ['duration',            ['duration',            'Forward by']],
  ['publicKey',           ['publicKey',           'Public key']],
  ['csr',                 ['csr',                 'Certificate request']],
  ['certificate',         ['certificate',         'Client certificate']],
  ['name',                ['name',                'Name']],
  ['role',                ['role',                'Role']],
  ['profile',             ['profile',             'Profile']],
  ['scenario',            ['scenario',            'Scenario']],
  ['key.value',           ['key',                 'Its value']],
  ['from',                ['from',                'From']],
  ['to',                  ['to',                  'To']],
  ['type',                ['type',                'Type']],
  ['processingAccountId', ['processingAccountId', 'Account']],
  ['q',                   ['q',                   'Words in values']],
  ['status',              ['status',              'Status']],
  ['state',               ['state',               'State']],
  ['providerId',          ['providerId',          'Method']],
  ['createdFrom',         ['createdFrom',         'From day']],
  ['createdTo',           ['createdTo',           'To day']],
  ['amountFrom',          ['amountFrom',          'Amount from']],
  ['amountTo',            ['amountTo',            'Amount to']],
] as const)

/** How sentences begin that are about no field, whatever form was sent. */
const OF_NO_FIELD = /^(?:There are \d|The processing account )/

/**
 * Returns the outcome of a refused form of the portal in its own words: a sentence that begins with a member of control
 * begins with the label of the field, which is named as the wrong one. Of any other sentence that is the field that
 * `wrong` names already, such as the only one of the form.
 */
export const inWordsOfForm = <Form extends Submitted>(form: Form): Form => {
  const { refused = '', typed = {}, wrong } = form
  const member = /^\w+(?:\.\w+)?(?= )/.exec(refused)?.[0] ?? ''
  const [name = OF_NO_FIELD.test(refused) ? undefined : wrong, label = member] = FIELDS.get(member as never) ?? []
  if (name === undefined || typed[name] === undefined) return { ...form, wrong: undefined }
  return { ...form, refused: `${label}${refused.slice(member.length)}`, wrong: name }
}
