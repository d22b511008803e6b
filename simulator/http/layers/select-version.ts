import { chooseVersion, type ServiceVersion } from '../../../contracts/protocol/service-version.ts'
import { Refusal } from '../../refusal.ts'
import { headerOf, type Layer } from '../call.ts'
import { clip } from '../clip.ts'

/** Refuses a Service-Version that is malformed or not served (9). */
export const selectVersion =
  (versions: readonly ServiceVersion[]): Layer =>
  call => {
    const wanted = headerOf(call, 'service-version')
    const { fault } = chooseVersion(versions, wanted)
    if (fault)
      throw new Refusal('INVALID_INPUT', 'version', `Service-Version ${JSON.stringify(clip(wanted ?? ''))} ${fault}.`, {
        fields: { 'Service-Version': fault },
      })
  }
