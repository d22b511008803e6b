import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScriptArguments } from '../bench/report/read-script-arguments.ts'
import { killMatrix } from '../test/conformance/mutants/kill-matrix.ts'
import { generatedPages } from './generated-pages.ts'

readScriptArguments({ options: {} })
for (const [file, text] of Object.entries({ ...generatedPages(), 'docs/kill-matrix.md': killMatrix() })) {
  writeFileSync(join(import.meta.dirname, '..', file), text)
  console.log(file)
}
