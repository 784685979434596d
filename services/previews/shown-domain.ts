import { domainToUnicode } from 'node:url'

/**
 * The letters beyond ASCII that nobody takes for another one at a glance. Not among them: whole other alphabets (а for a, о
 * for o), letters with a mark that hides (ı, í, ł, ŀ), and everything with which a name can end too early (the slash-like ノ).
 */
const PLAIN_LABEL = /^[a-z0-9äöüßåæøœñçéèêàâôû-]+$/

/** The host of a card as people read it: `müller.example`; in its ASCII form whenever it could pass for another. */
export function shownDomain({ hostname }: URL): string {
  if (!hostname.includes('xn--')) return hostname
  const shown = domainToUnicode(hostname)
  return shown !== '' && shown.split('.').every(label => PLAIN_LABEL.test(label)) ? shown : hostname
}
