import { readFileSync } from 'node:fs'
import { isMap, parseDocument } from 'yaml'
import { confirmHost } from '../harness/confirm-host.ts'
import { createGuard } from '../harness/guard.ts'
import { createLedger } from '../harness/ledger.ts'
import { writeFile } from '../harness/report-folder.ts'
import { lineOfProfile } from '../harness/slots.ts'
import { createStop } from '../harness/stop.ts'
import { EXIT } from '../harness/summary.ts'
import { scoutDialect } from '../scout/dialect.ts'
import { type Finding, type Learned, merged, withFindings } from '../scout/finding.ts'
import { gently, scoutPayments } from '../scout/payments.ts'
import { scoutErrors, scoutHeaders, scoutKeySet, scoutProviders } from '../scout/reads.ts'
import { createWorld, type World } from '../suites/world.ts'
import { TARGET, type Target, targetOf } from './target.ts'
import { tidyUp } from './tidy-up.ts'
import { tell, type Word } from './word.ts'

/** Learns what it can of a deployment. */
export const word: Word = {
  usage: 'scout --profile FILE [--write]',
  teaches: `
Learns by safe calls what a profile leaves open, and shows by which evidence: how requests are signed, where the key set
is, where a refusal carries its code. With --tier 3, on a sandbox with a control address, it makes two payments and
learns where ids, states, events and search results stand. Nothing that the profile says already is changed.

--write puts what was learned into the file and lists under "scouted" the checks that see the same thing: they are
"observed" and prove nothing until you have looked at the line yourself and taken it out of "scouted".

  assay certify scout --profile ours.yaml --tier 3 --write`,
  takes: [...TARGET.filter(name => name !== 'only'), 'confirm-host', 'write', 'json'],
  act: async values => {
    const target = targetOf({ ...values, tier: values.tier ?? '1' })
    confirmHost(target.profile, values['confirm-host'])
    const learned = await scouted(target)
    const fresh = learned.found.filter(({ line }) => lineOfProfile(target.profile, line) === undefined)
    if (values.write && fresh.length > 0) writeFile(target.profile.file, filledIn(target.profile.file, fresh))
    tell(
      values,
      () => learned,
      () => textOf(learned, fresh, values.write ?? false),
    )
    return learned.found.length > 0 ? EXIT.fine : EXIT.unmeasured
  },
}

const scouted = async (target: Target): Promise<Learned> => {
  const first = await inWorld(target, async world => {
    const keySet = await gently(scoutKeySet(world))
    return { keySet, dialect: await scoutDialect(world) }
  })
  if (!first.dialect)
    return merged([
      first.keySet,
      { found: [], open: ['dialect: no token was given in any of the sixteen: is the certificate in order?'] },
    ])
  const { dialect } = first.dialect
  const known = { ...target, profile: { ...target.profile, dialect: { ...target.profile.dialect, ...dialect } } }
  const more = await inWorld(known, async world => [
    await gently(scoutErrors(world)),
    await gently(scoutHeaders(world)),
    await gently(scoutProviders(world)),
  ])
  const reads = merged([first.dialect, first.keySet, ...more])
  if (target.tier < 3 || !target.profile.control) return reads
  const payments = await scoutPayments(withFindings(known.profile, reads), (profile, act) =>
    inWorld({ ...known, profile }, act),
  )
  return merged([reads, payments])
}

const inWorld = async <Value>({ profile, tier }: Target, act: (world: World) => Promise<Value>): Promise<Value> => {
  const ledger = createLedger()
  const guard = createGuard(profile, { stop: createStop(), ledger, paced: true })
  const world = createWorld(profile, tier, { transport: guard.over })
  try {
    return await act(world)
  } finally {
    await tidyUp(world, ledger)
    world.close()
  }
}

/** The profile with lines that it lacked, its comments kept, and what may not be taken for a confirmation. */
const filledIn = (file: string, fresh: readonly Finding[]): string => {
  const document = parseDocument(readFileSync(file, 'utf8'))
  const put = (path: string[], value: unknown): void => {
    const parent = path.slice(0, -1)
    if (parent.length > 0 && !isMap(document.getIn(parent, true))) document.setIn(parent, document.createNode({}))
    document.setIn(path, document.createNode(value))
  }
  for (const { line, value, sameAs } of fresh) {
    put(line.split('.'), value)
    if (sameAs.length > 0) put(['scouted', line], sameAs)
  }
  return document.toString({ lineWidth: 0 })
}

const textOf = ({ found, open }: Learned, fresh: readonly Finding[], write: boolean): string => {
  const lines = found.map(finding => {
    const mark = fresh.includes(finding) ? (write ? 'written ' : 'learned ') : 'was told'
    return `${mark}  ${finding.line}: ${JSON.stringify(finding.value)}\n            ${finding.evidence}\n`
  })
  return `${lines.join('')}${open.map(text => `open      ${text}\n`).join('')}`
}
