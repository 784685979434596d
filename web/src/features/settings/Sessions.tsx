import { useEffect, useState } from 'preact/hooks'
import type { SessionPayload } from '#shared/domain/payloads/account.ts'
import { strings } from '../../i18n/i18n.ts'
import * as account from '../../net/requests/account-endpoints.ts'
import { Failure } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Foot } from './rows.tsx'
import { browserNamed } from './user-agent.ts'
import './Sessions.css'

export function Sessions({ close }: { close: () => void }) {
  const texts = strings.sessions
  const [sessions, setSessions] = useState<SessionPayload[]>()
  const [hasFailed, setFailed] = useState(false)
  const [note, setNote] = useState('')
  const others = sessions?.filter(session => !session.current) ?? []

  const load = async () => {
    setFailed(false)
    try {
      setSessions(await account.sessions())
    } catch (error) {
      tolerateFailure(error)
      setFailed(true)
    }
  }
  useEffect(() => void load(), [])

  const end = async (which: SessionPayload[], done: string) => {
    const outcomes = await Promise.allSettled(which.map(session => endOne(session.id)))
    await load()
    setNote(outcomes.every(outcome => outcome.status === 'fulfilled') ? done : texts.notEnded)
  }

  return (
    <>
      <div class="settings-body" aria-busy={!sessions && !hasFailed}>
        <p class="hint session-note">{texts.more}</p>
        {hasFailed && (
          <div class="empty-state">
            <p>{texts.failed}</p>
            <button type="button" class="button" onClick={load}>
              {strings.tryAgain}
            </button>
          </div>
        )}
        <ul>
          {sessions?.map(session => (
            <SessionRow key={session.id} session={session} end={() => end([session], texts.ended)} />
          ))}
        </ul>
      </div>
      <Foot note={note}>
        {others.length > 0 && (
          <button
            type="button"
            class="button button-danger-text"
            onClick={event => {
              // Moves the focus: this button disappears with the sessions.
              event.currentTarget.parentElement?.querySelector<HTMLElement>('.button-primary')?.focus()
              void end(others, texts.endedOthers)
            }}
          >
            {texts.endOthers}
          </button>
        )}
        <button type="button" class="button button-primary" onClick={close}>
          {strings.settings.done}
        </button>
      </Foot>
    </>
  )
}

function SessionRow({ session, end }: { session: SessionPayload; end: () => void }) {
  const texts = strings.sessions
  const { browser, system, isHandheld } = browserNamed(session.user_agent)
  const name = browser && system ? texts.on(browser, system) : (browser ?? system ?? texts.unknown)
  return (
    <li class="settings-line">
      <span class="session-icon">
        <Icon name={isHandheld ? 'monitor' : 'device'} />
      </span>
      <span class="session-name">
        <b title={session.user_agent}>{name}</b>
        <small>
          {session.current ? texts.signedIn(session.created_ts) : texts.lastUsed(session.last_seen_ts)}
        </small>
      </span>
      {session.current ? (
        <span class="settings-tag">{texts.current}</span>
      ) : (
        <button
          type="button"
          class="button"
          aria-label={texts.endOf(name)}
          onClick={event => {
            const row = event.currentTarget.closest('li')!
            const beside = row.nextElementSibling ?? row.parentElement?.closest('.settings-main')
            beside?.querySelector<HTMLElement>('.button')?.focus()
            end()
          }}
        >
          {texts.end}
        </button>
      )}
    </li>
  )
}

/** A session that has already ended counts as success. */
async function endOne(id: string) {
  try {
    await account.endSession(id)
  } catch (error) {
    if (!(error instanceof Failure && error.status === 404)) throw error
  }
}
