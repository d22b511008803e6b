import { globSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { parse } from 'yaml'
import { CONDUCT_RULES } from '../../../contracts/conduct/judge-conduct.ts'
import schema from '../../../scenarios/drills/drill.schema.json' with { type: 'json' }
import { parseDrills } from '../../../simulator/conduct/drill-files.ts'
import { ControlError } from '../../../simulator/support/control-error.ts'
import { parseDuration } from '../../../simulator/support/duration.ts'
import { editedJson } from '../edited-json.ts'
import { nearly } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { YAML_PIECES } from '../hostile-values.ts'

const FILES = globSync('scenarios/drills/*.yaml', { cwd: new URL('../../..', import.meta.url) }).sort()
const TEXTS = FILES.map(file => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'))
const SAMPLES = TEXTS.flatMap(text => parseDrills(text).map(drill => ({ drills: [drill] })))

const KINDS = [
  'reset',
  'timeout',
  'slow',
  'limited',
  'decline',
  'duplicate',
  'drop',
  'delay',
  'yes',
  'no',
  'late',
  'PING',
]
const LASTS = ['PT1S', 'PT60S', 'PT0S', 'PT0.5S', 'PT2H1S', 'P1D', 'P366D', 'P', 'PT', 'P1Y', 'P1W', '3001', 'CND-23']
const VALUES = [...KINDS, ...LASTS].map(word => JSON.stringify(word))
const ENTRIES = [
  '{"do":"drop"}',
  '{"rotate":"P1D"}',
  '{"drain":true}',
  '{"operation":"refund","kind":"slow"}',
  '2',
  '1001',
]
const NAMES = ['operation', 'kind', 'done', 'code', 'after', 'times', 'do', 'on', 'advance', 'rotate', 'drain', 'match']

/** Fuzz target: drill files; a file that its schema accepts can be armed and run. */
export const drillFiles = fuzzTarget<string>({
  name: 'drills',
  sends: 'drill files',
  inputs: fc.oneof(
    { weight: 5, arbitrary: editedJson(SAMPLES, [...VALUES, ...ENTRIES], NAMES) },
    { weight: 1, arbitrary: nearly(TEXTS, YAML_PIECES, 3_000) },
  ),
  covers: [
    'simulator/conduct/drill-files.ts',
    'simulator/scenarios/armed-fault-registry.ts',
    'simulator/webhooks/delivery-plan-registry.ts',
    'simulator/support/duration.ts',
  ],
  few: 100,
  open: async fixture => {
    const isWell = new Ajv2020().compile(schema)
    const { faults, deliveryPlans } = (await fixture.open()).simulator.controlPlane
    return async text => {
      const content = read(text)
      if (content === undefined || !isWell(content)) return undefined
      for (const { name, faults: armed, plans, between, afterwards, rules } of parseDrills(text)) {
        try {
          for (const fault of armed) await faults.arm('other-merchant', fault)
          for (const plan of plans) await deliveryPlans.arm('other-merchant', plan)
        } catch (error) {
          if (!(error instanceof ControlError)) throw error
          return `the schema lets ${name} pass, and it cannot be armed: ${error.message}`
        }
        const times = [...between, ...afterwards].flatMap(move => Object.values(move).filter(value => value !== true))
        const invalidTime = times.find(time => !parseDuration(time as string))
        if (invalidTime !== undefined) return `the schema lets ${name} pass, and ${invalidTime} takes no time`
        const unknownRule = rules.find(rule => !CONDUCT_RULES.some(({ id }) => id === rule))
        if (unknownRule) return `the schema lets ${name} pass, and there is no rule ${unknownRule}`
      }
      await Promise.all([faults.clear('other-merchant'), deliveryPlans.clear('other-merchant')])
    }
  },
})

/** What an editor shows the schema; nothing where the text is no YAML. */
const read = (text: string): unknown => {
  try {
    return parse(text, { logLevel: 'error' })
  } catch {
    return undefined
  }
}
