import { domainToUnicode } from 'node:url'

/**
 * Letters beyond ASCII that are not mistaken for another one. Excluded: other alphabets (а for a, о for o), letters
 * with an inconspicuous mark (ı, í, ł, ŀ), and characters that seem to end a name (the slash-like ノ).
 */
const PLAIN_LABEL = /^[a-z0-9äöüßåæøœñçéèêàâôû-]+$/

/** The readable host of a card: `müller.example`; the ASCII form if it could pass for another host. */
export function shownDomain({ hostname }: URL): string {
  if (!hostname.includes('xn--')) return hostname
  const shown = domainToUnicode(hostname)
  return shown !== '' && shown.split('.').every(label => PLAIN_LABEL.test(label)) ? shown : hostname
}
