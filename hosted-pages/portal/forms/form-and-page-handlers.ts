import type { Context } from 'hono'
import { seeOther } from '../../page-response.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { type Organization, type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { type DoneMessage, withMessage } from './form-message.ts'
import { formResult } from './form-result.ts'
import { readCheckedValues, readFormValues } from './form-values.ts'

/** A function that responds with a portal page; `form` is the outcome of a form submitted to that page. */
export type ShowPage = (c: Context, organization: Organization, form?: Partial<PageRequestData>) => Promise<Response>

/** A submitted form of the portal, with the organization and id that its address names. */
export type Submitted = {
  organization: Organization
  organizationId: string
  /** Id of the item that the address names below the organization; empty where it names none. */
  id: string
  typed: Readonly<Record<string, string>>
  types: readonly string[]
}

type FormHandler = {
  /** Does what the form asks for; the result is passed to `to`. */
  submit: (form: Submitted) => Promise<unknown>
  /** The page that shows the refusal. */
  show: ShowPage
  /** The field that a refusal is about whose sentence begins with no other. */
  field?: string
  /** The message of the next page; none where the address of that page says more. */
  done?: DoneMessage
  /** Name of the id that the result is, where the form creates something. */
  creates?: 'endpointId' | 'keyId' | 'fingerprint'
  /** Path to redirect to after the form was accepted. */
  to: (form: Submitted, result: string) => string
}

const IDS = ['endpointId', 'deliveryId', 'keyId', 'fingerprint', 'tokenId']

/** Notes what a form of the portal created, for the log of acts, which reads its ids: no response of a page has them. */
export const noteCreated = (c: Context, created: object): void => {
  if (c.env) Object.assign(c.env, { created })
}

/** Creates the handler of a portal form: runs it, then redirects with 303, so that reload and back repeat nothing. */
export const formRoute =
  (features: OrganizationPages) =>
  ({ submit, show, field, done, creates, to }: FormHandler) =>
    withOrganization(features)(async (c, organization) => {
      const id = IDS.map(name => c.req.param(name)).find(value => value !== undefined) ?? ''
      const { organizationId } = organization
      const [typed, types] = [await readFormValues(c), await readCheckedValues(c, 'types')]
      const form = { organization, organizationId, id, typed, types }
      const result = await formResult(() => submit(form))
      if ('refused' in result) return show(c, organization, { wrong: field, ...result, typed, types })
      if (creates) noteCreated(c, { [creates]: String(result.done) })
      const next = to(form, String(result.done))
      return seeOther(c, done === undefined ? next : withMessage(next, done))
    })

/** Creates the handler that shows a portal page of an organization, without a submitted form. */
export const pageRoute = (features: OrganizationPages) => (show: ShowPage) =>
  withOrganization(features)((c, organization) => show(c, organization))

/** Returns the HTTP status of a portal page: 400 where it shows that a form was refused. */
export const statusOf = ({ refused }: Partial<PageRequestData>): 200 | 400 => (refused === undefined ? 200 : 400)
