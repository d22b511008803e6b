import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printedPages } from './pages.ts'

for (const [file, text] of Object.entries(printedPages())) {
  writeFileSync(join(import.meta.dirname, '..', file), text)
  console.log(file)
}
