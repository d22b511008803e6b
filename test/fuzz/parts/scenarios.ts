import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { isSeq, parseDocument } from 'yaml'
import { createCheckShape } from '../../../simulator/scenarios/check-shape.ts'
import { scenarioOf } from '../../../simulator/scenarios/entry.ts'
import { BUILT_IN } from '../../../simulator/scenarios/load.ts'
import { readScenarios } from '../../../simulator/scenarios/read-file.ts'
import { adviceFaultOf } from '../api-answer.ts'
import { editedJson } from '../edited-json.ts'
import { nearly } from '../edited-text.ts'
import { part } from '../part.ts'
import { YAML_PIECES } from '../words.ts'

/** Some scenarios of each file that comes along, as files of their own. */
const SAMPLES = readdirSync(BUILT_IN)
  .filter(name => name.endsWith('.yaml'))
  .flatMap(name => {
    const document = parseDocument(readFileSync(join(BUILT_IN, name), 'utf8'))
    const scenarios = document.get('scenarios')
    const entries = isSeq(scenarios) ? scenarios.toJSON() : []
    return [entries.slice(0, 1), entries.slice(-2)].map(few => ({ scenarios: few }))
  })

const TEXTS = SAMPLES.map(sample => parseDocument(JSON.stringify(sample)).toString({ collectionStyle: 'block' }))

/** Scenario files that people write (2.7): good, or mistakes with a place and a sentence each. */
export const scenarios = part<string>({
  name: 'scenarios',
  sends: 'scenario files',
  inputs: fc.oneof(editedJson(SAMPLES), nearly(TEXTS, YAML_PIECES)),
  covers: ['simulator/scenarios/{read-file,check-shape,check-sense,entry,catalogue}.ts'],
  guided: [''],
  few: 80,
  open: async () => {
    const checkShape = createCheckShape()
    return text => {
      const { entries, mistakes } = readScenarios('own.yaml', text, checkShape)
      for (const { line, column, sentence } of mistakes) {
        if (!(line >= 1 && column >= 1)) return `a mistake at ${line}:${column}`
        const fault = adviceFaultOf(sentence)
        if (fault) return fault
      }
      if (mistakes.length === 0) for (const { entry } of entries) scenarioOf(entry)
    }
  },
})
