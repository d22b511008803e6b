import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { isSeq, parseDocument } from 'yaml'
import { createCheckAgainstSchema } from '../../../simulator/scenarios/check-scenario-file-against-schema.ts'
import { BUILT_IN_FOLDER } from '../../../simulator/scenarios/open-scenario-catalogue.ts'
import { parseScenarioFile } from '../../../simulator/scenarios/read-scenario-file.ts'
import { toScenario } from '../../../simulator/scenarios/scenario-from-file-entry.ts'
import { editedJson } from '../edited-json.ts'
import { nearly } from '../edited-text.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { YAML_PIECES } from '../hostile-values.ts'
import { adviceProblem } from '../response-checks.ts'

/** Some scenarios of each file that comes along, as files of their own. */
const SAMPLES = readdirSync(BUILT_IN_FOLDER)
  .filter(name => name.endsWith('.yaml'))
  .flatMap(name => {
    const document = parseDocument(readFileSync(join(BUILT_IN_FOLDER, name), 'utf8'))
    const scenarios = document.get('scenarios')
    const entries = isSeq(scenarios) ? scenarios.toJSON() : []
    return [entries.slice(0, 1), entries.slice(-2)].map(few => ({ scenarios: few }))
  })

const TEXTS = SAMPLES.map(sample => parseDocument(JSON.stringify(sample)).toString({ collectionStyle: 'block' }))

/** Fuzz target: scenario files (2.7); valid, or errors with a position and a message each. */
export const scenarioFiles = fuzzTarget<string>({
  name: 'scenarios',
  sends: 'scenario files',
  inputs: fc.oneof(editedJson(SAMPLES), nearly(TEXTS, YAML_PIECES)),
  covers: [
    'contracts/schema/*.ts',
    'simulator/scenarios/read-scenario-file.ts',
    'simulator/scenarios/check-scenario-file-against-schema.ts',
    'simulator/scenarios/find-contradictions-in-scenario.ts',
    'simulator/scenarios/scenario-from-file-entry.ts',
    'simulator/scenarios/scenario-catalogue.ts',
  ],
  guided: [''],
  few: 80,
  open: async () => {
    const checkShape = createCheckAgainstSchema()
    return text => {
      const { entries, mistakes } = parseScenarioFile('own.yaml', text, checkShape)
      for (const { line, column, sentence } of mistakes) {
        if (!(line >= 1 && column >= 1)) return `a mistake at ${line}:${column}`
        const fault = adviceProblem(sentence)
        if (fault) return fault
      }
      if (mistakes.length === 0) for (const { entry } of entries) toScenario(entry)
    }
  },
})
