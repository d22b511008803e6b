import { type Context, Hono } from 'hono'
import { answerPage, seeOther } from '../answer.ts'
import { conductPage, type Judged, type UnderWay } from './conduct-page.ts'
import type { ConductPort } from './conduct-port.ts'
import { ofOrganization } from './of-organization.ts'
import { portalPaths } from './paths.ts'
import type { OrganizationSummary, PortalPort } from './port.ts'
import { readForm } from './read-form.ts'
import { type Visit, visitOf } from './visit.ts'
import type { Wish } from './wish.ts'

const here = `${portalPaths.organizations}/:organizationId/conduct`

type Told = { name?: string | undefined; since?: string | undefined; run?: string | undefined }

/** Grades and drills. Where a drill stands is in the address, so that reload and a colleague see the same. */
export const conductRoutes = (port: Pick<PortalPort, 'access' | 'organizations'> & { conduct: ConductPort }): Hono => {
  const { conduct } = port
  const of = ofOrganization(port)
  const show = async (c: Context, organization: OrganizationSummary, form: Partial<Visit> = {}) => {
    const { organizationId } = organization
    const [all, judged] = await Promise.all([conduct.judge(organizationId), judgedIn(conduct, c, organizationId)])
    const underWay = underWayIn(conduct, c)
    const rules = 'done' in all ? all.done : []
    const shown = {
      rules,
      drills: conduct.drills(),
      checkout: conduct.checkout(),
      ...(underWay && { underWay }),
      ...(judged && { judged }),
    }
    const page = conductPage(visitOf(c, port, form), organization, shown)
    return answerPage(c, page, 'here', form.refused === undefined ? 200 : 400)
  }
  /** Does what a button asks for, and says in the address where the drill stands then. */
  const act = (ask: (organizationId: string, told: Told) => Promise<Wish<Told & { judged?: string }>>) =>
    of(async (c, organization) => {
      const { organizationId } = organization
      const wish = await ask(organizationId, await readForm(c))
      if ('refused' in wish) return show(c, organization, wish)
      const query = Object.entries(wish.done).filter((entry): entry is [string, string] => entry[1] !== undefined)
      return seeOther(c, `${portalPaths.conduct(organizationId)}?${new URLSearchParams(query)}`)
    })
  return new Hono()
    .get(
      here,
      of((c, organization) => show(c, organization)),
    )
    .post(
      `${here}/begin`,
      act(async (organizationId, { name = '' }) => {
        const wish = await conduct.begin(organizationId, name)
        return 'refused' in wish ? wish : { done: { name, since: wish.done, run: '1' } }
      }),
    )
    .post(
      `${here}/between`,
      act(async (organizationId, { name = '', since, run }) => {
        const wish = await conduct.between(organizationId, name)
        return 'refused' in wish ? wish : { done: { name, since, run: String(Number(run) + 1) } }
      }),
    )
    .post(
      `${here}/end`,
      act(async (organizationId, { name = '', since = '' }) => {
        const wish = await conduct.end(organizationId, name, since)
        return 'refused' in wish ? wish : { done: { judged: name, since } }
      }),
    )
}

const underWayIn = ({ drills }: ConductPort, c: Context): UnderWay | undefined => {
  const drill = drills().find(({ name }) => name === c.req.query('name'))
  const since = c.req.query('since')
  const run = Number(c.req.query('run') ?? 1)
  return drill && since !== undefined && run >= 1 ? { drill, since, run: Math.min(run, drill.runs) } : undefined
}

/** What the rules of a drill came to that has been ended. */
const judgedIn = async (conduct: ConductPort, c: Context, organizationId: string): Promise<Judged | undefined> => {
  const drill = conduct.drills().find(({ name }) => name === c.req.query('judged'))
  if (!drill) return undefined
  const wish = await conduct.judge(organizationId, c.req.query('since'))
  return 'done' in wish ? { drill, rules: wish.done.filter(({ id }) => drill.rules.includes(id)) } : undefined
}
