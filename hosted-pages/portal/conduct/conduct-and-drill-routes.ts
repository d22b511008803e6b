import { type Context, Hono } from 'hono'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { statusOf } from '../forms/form-and-page-handlers.ts'
import { FormError, type FormResult, formResult } from '../forms/form-result.ts'
import { readFormValues } from '../forms/form-values.ts'
import { type PageRequestData, pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { type Organization, type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import {
  type CheckoutRule,
  conductAndDrillsPage,
  type Drill,
  type Judged,
  type UnderWay,
} from './conduct-and-drills-page.ts'
import type { JudgedRule, Proof } from './rules-table.ts'

/** A rule of conduct with its verdict; its evidence is ids of calls, deliveries and payments. */
type Verdict = Omit<JudgedRule, 'breaches' | 'kept'> & {
  breaches: readonly { said: string; evidence: readonly string[] }[]
  kept: readonly string[]
}

/**
 * Features of the simulator that the portal's page of conduct and drills needs; instants are epoch milliseconds of real
 * time.
 */
export type ConductFeatures = OrganizationPages & {
  conduct: {
    checkoutRules: readonly CheckoutRule[]
    /** A verdict for every rule, by all that was seen since. */
    judge: (organizationId: string, since?: number) => Promise<readonly Verdict[]>
    /** What an id of evidence refers to. */
    evidence: (organizationId: string, id: string) => Promise<Proof>
  }
  drills: {
    list: () => readonly Drill[]
    /** The drill that this replica has begun and not ended. */
    underWay: (organizationId: string) => { name: string; since: number; run: number } | undefined
    begin: (organizationId: string, name: string) => Promise<{ since: number }>
    between: (organizationId: string, name: string) => Promise<unknown>
    end: (organizationId: string, name: string, since: number) => Promise<unknown>
  }
}

const here = `${portalPaths.organizations}/:organizationId/conduct`
/** Most breaches of a rule, and most proofs of each, that the page of conduct shows. */
const MOST_SHOWN = 5

/** The progress of a drill, as the address of the page says it. */
type DrillState = { name?: string; since?: string; run?: string; judged?: string }

/** Creates the routes of the portal's page of conduct and drills; the address says how far a drill is, for another replica. */
export const conductAndDrillRoutes = (features: ConductFeatures): Hono => {
  const { drills } = features
  const route = withOrganization(features)
  const show = async (c: Context, organization: Organization, form: Partial<PageRequestData> = {}) => {
    const { organizationId } = organization
    const [all, judged] = await Promise.all([
      judgedRules(features, organizationId),
      judgedDrillIn(features, c, organizationId),
    ])
    const asked = { ...c.req.query(), ...form.typed }
    const underWay = shownDrill(features, organizationId, asked)
    const shown = {
      rules: 'done' in all ? all.done : [],
      drills: drills.list(),
      checkout: features.conduct.checkoutRules,
      ...(underWay && { underWay }),
      ...(judged && { judged }),
    }
    return respondWithPage(
      c,
      conductAndDrillsPage(pageRequestData(c, features, form), organization, shown),
      'here',
      statusOf(form),
    )
  }
  /** The route of a button: does what it asks for, and redirects to the address that says where the drill stands then. */
  const button = (submit: (organizationId: string, state: DrillState) => Promise<DrillState>) =>
    route(async (c, organization) => {
      const { organizationId } = organization
      const typed = await readFormValues(c)
      const result = await formResult(() => submit(organizationId, typed))
      if ('refused' in result) return show(c, organization, { ...result, typed })
      return seeOther(c, `${portalPaths.conduct(organizationId)}?${new URLSearchParams(result.done)}`)
    })
  const begin = async (organizationId: string, { name = '' }: DrillState) => {
    const { since } = await drills.begin(organizationId, name)
    return { name, since: new Date(since).toISOString(), run: '1' }
  }
  const between = async (organizationId: string, { name = '', since, run }: DrillState) => {
    await drills.between(organizationId, name)
    return { name, ...(since === undefined ? {} : { since }), run: String(Number(run) + 1) }
  }
  const end = async (organizationId: string, { name = '', since = '' }: DrillState) => {
    await drills.end(organizationId, name, instantOf(since))
    return { judged: name, since }
  }
  return new Hono()
    .get(
      here,
      route((c, organization) => show(c, organization)),
    )
    .post(`${here}/begin`, button(begin))
    .post(`${here}/between`, button(between))
    .post(`${here}/end`, button(end))
}

/** Reads an instant as this page writes it: Date.parse alone takes 30 February for 2 March, and 1 for a year. */
const instantOf = (text: string): number => {
  const instant = Date.parse(text)
  if (new Date(instant).toJSON() === text) return instant
  throw new FormError('The address has no instant: begin the drill again.')
}

/** Returns the verdicts since an instant, with what each piece of evidence refers to. */
const judgedRules = (
  { conduct }: ConductFeatures,
  organizationId: string,
  since?: string,
): Promise<FormResult<readonly JudgedRule[]>> => {
  const proofsOf = (ids: readonly string[]) =>
    Promise.all(ids.slice(0, MOST_SHOWN).map(id => conduct.evidence(organizationId, id)))
  const withProofs = async (rule: Verdict): Promise<JudgedRule> => {
    const breaches = rule.breaches
      .slice(0, MOST_SHOWN)
      .map(async ({ said, evidence }) => ({ said, proofs: await proofsOf(evidence) }))
    const kept = rule.verdict === 'pass' ? await proofsOf(rule.kept) : []
    return { ...rule, breaches: await Promise.all(breaches), kept }
  }
  return formResult(async () => {
    const verdicts = await conduct.judge(organizationId, since === undefined ? undefined : instantOf(since))
    return Promise.all(verdicts.map(withProofs))
  })
}

/** Returns the drill that the simulator knows to be under way, or else the one that the address or a form names. */
const shownDrill = ({ drills }: ConductFeatures, organizationId: string, asked: DrillState): UnderWay | undefined => {
  const known = drills.underWay(organizationId)
  const { name, since, run = 1 } = known ? { ...known, since: new Date(known.since).toISOString() } : asked
  const drill = drills.list().find(one => one.name === name)
  const count = Number(run)
  return drill && since !== undefined && count >= 1 ? { drill, since, run: Math.min(count, drill.runs) } : undefined
}

/** Returns the verdicts on the rules of the ended drill that the address names. */
const judgedDrillIn = async (
  features: ConductFeatures,
  c: Context,
  organizationId: string,
): Promise<Judged | undefined> => {
  const drill = features.drills.list().find(({ name }) => name === c.req.query('judged'))
  if (!drill) return undefined
  const result = await judgedRules(features, organizationId, c.req.query('since'))
  return 'done' in result ? { drill, rules: result.done.filter(({ id }) => drill.rules.includes(id)) } : undefined
}
