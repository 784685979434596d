/** What `npm start` says to operators whose people come from other machines over plain HTTP; undefined for others. */
export function httpsHint(env: NodeJS.ProcessEnv): string | undefined {
  const isAlone = /^(?:127\.|::1$|localhost$)/.test(env['LISTEN_HOST'] ?? '')
  if (isAlone || env['PUBLIC_URL']?.startsWith('https:')) return undefined
  return 'On other machines, browsers allow calls and notifications only with https: docs/operations.md, section 3.'
}
