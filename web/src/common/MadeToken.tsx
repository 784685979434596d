import type { MadeTokenPayload } from '#shared/domain/payloads/tokens.ts'
import { strings } from '../i18n/i18n.ts'
import { publicChannels } from '../store/store.ts'
import { Copied, MadeSecret } from './MadeSecret.tsx'

interface Props {
  title: string
  made: Pick<MadeTokenPayload, 'token' | 'scopes' | 'channels_only'>
  close: () => void
}

/** The token itself, which nobody can show again, and a command that tries it. */
export function MadeToken({ title, made, close }: Props) {
  const texts = strings.tokens
  const { token } = made
  return (
    <MadeSecret title={title} secret={token} once={texts.once} lost={texts.lost} close={close}>
      {token !== null && <Copied title={texts.tryIt} label={texts.copyCommand} text={curlFor(made, token)} />}
    </MadeSecret>
  )
}

/** Posts where the token may, else reads. */
function curlFor({ scopes, channels_only }: Props['made'], token: string): string {
  const channel = encodeURI(channels_only?.[0] ?? publicChannels.peek()[0] ?? 'general')
  const head = `curl -H 'Authorization: Bearer ${token}'`
  return scopes.includes('write')
    ? `${head} -d 'text=${strings.tokens.hello}' '${location.origin}/send/${channel}'`
    : `${head} '${location.origin}/messages/${channel}?limit=5'`
}
