import { choose } from '../harness/registry.ts'
import { JOURNEYS } from '../suites/all.ts'
import { namesIn, REGISTRY } from './target.ts'
import { tell, type Word } from './word.ts'

/** Names the checks in the order in which they run. */
export const word: Word = {
  usage: 'list [--only IDS]',
  teaches: `
Names the checks in the order in which they run, each with its tier and the clause that it is about. Calls nobody.

  assay certify list --only IDM-16     this one and the controls that it needs`,
  takes: ['only', 'json'],
  act: async values => {
    const chosen = choose(REGISTRY, namesIn(values.only))
    const rows = JOURNEYS.flatMap(({ name, tier, checks }) =>
      checks.map(check => ({
        id: check.id,
        tier: check.tier ?? tier,
        clause: check.clause,
        title: check.title,
        journey: name,
      })),
    ).filter(({ id }) => chosen.has(id))
    tell(
      values,
      () => rows,
      () => rows.map(({ id, tier, title, clause }) => `${id.padEnd(9)}T${tier}  ${title} (${clause})\n`).join(''),
    )
    return 0
  },
}
