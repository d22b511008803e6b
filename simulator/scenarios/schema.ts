import { PROVIDER_CALLS } from '../providers/faults.ts'
import { object, of, PARTS, PROVIDERS, step, text, VALUES, written } from './schema-parts.ts'

const SCENARIO = object(
  'A named outcome of a payment, from its first call to its last.',
  {
    name: {
      ...written(
        'a name of at most 64 capital letters, digits and underscores',
        '^[A-Z][A-Z0-9_]{0,63}$',
        'MY_SHOP_RUNS_OUT',
      ),
      description: 'What /mock/set calls it by; one that is built in is replaced.',
    },
    title: text(
      'one sentence',
      'What happens, in one plain sentence.',
      'The bank says that there is not enough money.',
      120,
    ),
    clauses: {
      type: 'array',
      title: 'a list of clauses',
      description: 'Clauses of the interface document that it shows.',
      items: written('a clause', '^([1-9][0-9]*([.][0-9]+)*|[REI][0-9]+|D-[0-9]+)$', '7.5', 'R4'),
      default: [],
    },
    providers: {
      type: 'array',
      title: 'a list of providers',
      description: 'Whose payments it is for; all of them unless given.',
      items: { type: 'string', enum: PROVIDERS },
      minItems: 1,
      uniqueItems: true,
      default: PROVIDERS,
    },
    magic: {
      ...written('four digits', '^[0-9]{4}$', '9001'),
      description: 'Asks for it as the BLIK code 99nnnn, or as the amount 999nnnn in minor units.',
    },
    steps: object(
      'What the provider answers; a call that is left out goes its usual way.',
      Object.fromEntries(PROVIDER_CALLS.map(call => [call, step(call)])),
    ),
    shopper: of('shopper'),
    settlement: of('settlement'),
    dispute: of('dispute'),
    mandate: of('mandate'),
    webhooks: {
      type: 'array',
      title: 'a list of deviations',
      description: 'How its notifications are delivered otherwise than as they should be.',
      items: of('webhook'),
      minItems: 1,
    },
  },
  ['name', 'title'],
)

/** The shape of a scenario file (2.7): scenarios/scenario.schema.json is printed from it. */
export const SCENARIO_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenarios',
  ...object(
    'Named outcomes of a payment: data only.',
    {
      scenarios: {
        type: 'array',
        title: 'a list of scenarios',
        description: 'One entry each.',
        items: of('scenario'),
        minItems: 1,
      },
    },
    ['scenarios'],
  ),
  $defs: { scenario: SCENARIO, ...PARTS, ...VALUES },
}
