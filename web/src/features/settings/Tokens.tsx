import { useEffect, useState } from 'preact/hooks'
import type { TokenPayload } from '#shared/domain/payloads/tokens.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { endToken, ownTokens } from '../../net/requests/tokens.ts'
import { nameOf } from '../../store/channels/names.ts'
import { me } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Foot } from './rows.tsx'
import { TokenDialog } from './TokenDialog.tsx'
import './Tokens.css'

/** The person's own tokens: to make, and to end. */
export function Tokens({ close }: { close: () => void }) {
  const texts = strings.tokens
  const [tokens, setTokens] = useState<TokenPayload[]>()
  const [hasFailed, setFailed] = useState(false)
  const [isMaking, setMaking] = useState(false)
  const [note, setNote] = useState('')

  const load = async () => {
    setFailed(false)
    try {
      setTokens(await ownTokens())
    } catch (error) {
      tolerateFailure(error)
      setFailed(true)
    }
  }
  useEffect(() => void load(), [])

  const end = async ({ id, name }: TokenPayload) => {
    try {
      await endToken(id)
      setNote(texts.isEnded(name))
    } catch (error) {
      tolerateFailure(error)
      setNote(texts.notEnded)
    }
    await load()
  }
  const mayMake = me.value?.may.includes('make_tokens') ?? false

  return (
    <>
      <div class="settings-body" aria-busy={!tokens && !hasFailed}>
        <p class="hint session-note">{texts.more}</p>
        {mayMake && (
          <button type="button" class="button token-new" onClick={() => setMaking(true)}>
            <Icon name="plus" size={16} />
            {texts.make}
          </button>
        )}
        {hasFailed && (
          <div class="empty-state">
            <p>{texts.notLoaded}</p>
            <button type="button" class="button" onClick={load}>
              {strings.tryAgain}
            </button>
          </div>
        )}
        {tokens?.length === 0 && <p class="hint">{mayMake ? texts.none : texts.mayNot}</p>}
        <ul>
          {tokens?.map(token => (
            <TokenRow key={token.id} token={token} end={() => void end(token)} />
          ))}
        </ul>
      </div>
      <Foot note={note}>
        <button type="button" class="button button-primary" onClick={close}>
          {strings.settings.done}
        </button>
      </Foot>
      {isMaking && <TokenDialog close={() => setMaking(false)} changed={load} />}
    </>
  )
}

function TokenRow({ token, end }: { token: TokenPayload; end: () => void }) {
  const texts = strings.tokens
  const { name, scopes, channels_only: channels, ended } = token
  return (
    <li class={ended === null ? 'settings-line' : 'settings-line is-off'}>
      <span class="session-icon">
        <Icon name="plug" />
      </span>
      <span class="token-name">
        <b>{name}</b>
        <small>{texts.rights(scopes, channels?.map(nameOf) ?? null)}</small>
        <small>
          {texts.used(token.last_used_ts, token.last_used_from)} {texts.ends(token.expires_ts, ended)}
        </small>
      </span>
      {ended === null && (
        <button
          type="button"
          class="button"
          aria-label={texts.endOf(name)}
          onClick={event => {
            // Moves the focus: this button disappears with the token.
            const page = event.currentTarget.closest('.settings-main')
            page?.querySelector<HTMLElement>('.settings-foot .button-primary')?.focus()
            end()
          }}
        >
          {texts.end}
        </button>
      )}
    </li>
  )
}
