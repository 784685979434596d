import { isThisMachine } from '../../../shared/domain/own-network.ts'
import { strings } from '../i18n/i18n.ts'
/** True for an address that other machines cannot open. */
export const isOnlyHere = (url: string) => isThisMachine(new URL(url).hostname)

/** In place of a QR code that would lead nowhere. */
export const OnlyHere = () => <p class="hint">{strings.firstSteps.onlyHere}</p>
