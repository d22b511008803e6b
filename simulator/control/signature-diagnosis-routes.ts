import type { Hono } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { ControlError } from '../support/control-error.ts'
import { isPermitted } from './permitted-calls.ts'
import { readTextMembers } from './read-request.ts'

/** Adds the route of control for the signature lab, which diagnoses a pasted request or a call of the journal (5.2). */
export const addSignatureDiagnosisRoutes = (control: Hono, controlPlane: ControlPlaneFeatures): void => {
  control.post('/organizations/:organizationId/lab', async c => {
    const { request, call, base } = await readTextMembers(c, ['request', 'call', 'base'])
    if ((request === undefined) === (call === undefined))
      throw new ControlError(
        'invalid',
        'Give either request, the text of a request, or call, the id of one in the journal.',
      )
    const { organizationId, access } = c.var
    const signs = isPermitted(access, 'GET', `/control/organizations/${organizationId}/kit`) // a signature is what the kit's key is for
    return c.json(await controlPlane.lab.examine(organizationId, { request, call, base, signs }, c.req.raw.signal))
  })
}
