import { PROVIDER_OPERATIONS } from '../../contracts/operations.ts'
import { PROVIDER_IDS } from '../../contracts/protocol/providers-and-capabilities.ts'
import {
  objectSchema,
  patternSchema,
  refTo,
  SCENARIO_PART_SCHEMAS,
  SHARED_VALUE_SCHEMAS,
  stepSchema,
  textSchema,
} from './scenario-schema-parts.ts'

const SCENARIO = objectSchema(
  'A named outcome of a payment, from its first call to its last.',
  {
    name: {
      ...patternSchema(
        'a name of at most 64 capital letters, digits and underscores',
        '^[A-Z][A-Z0-9_]{0,63}$',
        'MY_SHOP_RUNS_OUT',
      ),
      description: 'Name for /mock/set; replaces a built-in scenario of the same name.',
    },
    title: textSchema(
      'one sentence',
      'What happens, in one plain sentence.',
      'The bank says that there is not enough money.',
      120,
    ),
    clauses: {
      type: 'array',
      title: 'a list of clauses',
      description: 'Clauses of the interface document that it demonstrates.',
      items: patternSchema('a clause', '^([1-9][0-9]*([.][0-9]+)*|[REI][0-9]+|D-[0-9]+)$', '7.5', 'R4'),
      default: [],
    },
    providers: {
      type: 'array',
      title: 'a list of providers',
      description: 'Providers that it applies to; all by default.',
      items: { type: 'string', enum: PROVIDER_IDS },
      minItems: 1,
      uniqueItems: true,
      default: PROVIDER_IDS,
    },
    magic: {
      ...patternSchema('four digits', '^[0-9]{4}$', '9001'),
      description: 'Selects it by the BLIK code 99nnnn, or by the amount 999nnnn in minor units.',
    },
    steps: objectSchema(
      'What the provider answers; a call that is left out goes its usual way.',
      Object.fromEntries(PROVIDER_OPERATIONS.map(call => [call, stepSchema(call)])),
    ),
    shopper: refTo('shopper'),
    settlement: refTo('settlement'),
    dispute: refTo('dispute'),
    mandate: refTo('mandate'),
    webhooks: {
      type: 'array',
      title: 'a list of deviations',
      description: 'Deviations in the delivery of its notifications.',
      items: refTo('webhook'),
      minItems: 1,
    },
  },
  ['name', 'title'],
)

/** JSON schema of scenario files (2.7), from which scenarios/scenario.schema.json is generated. */
export const SCENARIO_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenarios',
  ...objectSchema(
    'Named outcomes of a payment: data only.',
    {
      scenarios: {
        type: 'array',
        title: 'a list of scenarios',
        description: 'One entry for each scenario.',
        items: refTo('scenario'),
        minItems: 1,
      },
    },
    ['scenarios'],
  ),
  $defs: { scenario: SCENARIO, ...SCENARIO_PART_SCHEMAS, ...SHARED_VALUE_SCHEMAS },
}
