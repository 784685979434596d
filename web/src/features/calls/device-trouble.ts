/** Content of the dialog about a missing device, and the actions to continue with. */
import type { Device, NoMedia, Trouble } from '../../common/media-devices.ts'
import { dialog } from './state.ts'

export let deviceTrouble:
  | { device: Device; trouble: Trouble; retry?: () => void; without?: () => void }
  | undefined

export function showDeviceTrouble({ device, trouble }: NoMedia, retry?: () => void, without?: () => void) {
  deviceTrouble = { device, trouble, ...(retry && { retry }), ...(without && { without }) }
  dialog.value = 'trouble'
}
