import type { MadeTokenPayload } from '#shared/domain/payloads/tokens.ts'
import { strings } from '../i18n/i18n.ts'
import { publicChannels } from '../store/store.ts'
import { ErrorLine } from '../ui/ErrorLine.tsx'
import { copyToClipboard } from './copy-to-clipboard.ts'
import { FormDialog } from './FormDialog.tsx'
import './MadeToken.css'

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
    <FormDialog title={title} close={close} form={close} label={texts.kept} cancel={false}>
      {token === null ? (
        <ErrorLine>{texts.lost}</ErrorLine>
      ) : (
        <>
          <p class="dialog-text">{texts.once}</p>
          <div class="token-secret">
            <code>{token}</code>
            <button
              type="button"
              class="button button-primary"
              autofocus
              onClick={() => void copyToClipboard(token, texts.copied)}
            >
              {texts.copy}
            </button>
          </div>
          <span class="label">{texts.tryIt}</span>
          <div class="token-secret">
            <code>{curlFor(made, token)}</code>
            <button
              type="button"
              class="button"
              aria-label={texts.copyCommand}
              onClick={() => void copyToClipboard(curlFor(made, token), texts.copied)}
            >
              {texts.copy}
            </button>
          </div>
        </>
      )}
    </FormDialog>
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
