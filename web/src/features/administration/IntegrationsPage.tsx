import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnybodysTokenPayload } from '#shared/domain/payloads/tokens.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { PagesStart } from '../../common/PagesBounds.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { endToken, everybodysTokens } from '../../net/requests/tokens.ts'
import { nameOf } from '../../store/channels/names.ts'
import { publicChannels } from '../../store/store.ts'
import { act } from './act.ts'
import { mayAdminister } from './admin-pages.ts'
import { BotsSection } from './BotsSection.tsx'
import { CommandsSection } from './CommandsSection.tsx'
import { IncomingSection } from './IncomingSection.tsx'
import { hookChannels, loadManagedChannels } from './managed-channels.ts'
import { OutgoingSection } from './OutgoingSection.tsx'
import { mayMakeHooks } from './open-hooks.ts'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'
import { PersonField } from './PersonField.tsx'
import './IntegrationsPage.css'

/** After the last key, ms. */
const SETTLED = 300

/** Hooks, and bots for all but guests; commands and the tokens of everybody for administrators. */
export function IntegrationsPage() {
  const [changes, setChanges] = useState(0)
  useEffect(() => void loadManagedChannels(), [publicChannels.value])
  return (
    <PageFrame
      beside={
        <a class="button" href="/api-docs" target="_blank" rel="noopener">
          {strings.hooks.apiDocs}
        </a>
      }
    >
      <IncomingSection mayMake={mayMakeHooks() && hookChannels().length > 0} mayChange={() => true} />
      <OutgoingSection mayMake={mayMakeHooks()} />
      {mayAdminister() && <CommandsSection />}
      <BotsSection madeToken={() => setChanges(before => before + 1)} />
      {mayAdminister() && <EverybodysTokens key={changes} />}
    </PageFrame>
  )
}

function EverybodysTokens() {
  const [changes, setChanges] = useState(0)
  const [typed, setTyped] = useState('')
  const username = typed.trim()
  const list = usePages([changes, username], cursor => everybodysTokens(username, cursor), {
    settle: SETTLED,
  })
  const texts = strings.tokens
  const heading = useRef<HTMLHeadingElement>(null)
  const changed = () => {
    // The button of an ended token is gone.
    heading.current?.focus({ preventScroll: true })
    setChanges(before => before + 1)
  }
  return (
    <section aria-labelledby="everybodys-tokens">
      <h2 ref={heading} id="everybodys-tokens" class="label" tabIndex={-1}>
        {texts.personal}
      </h2>
      <div class="admin-tools">
        <PersonField label={texts.whose} value={typed} set={setTyped} />
      </div>
      <PagesStart {...list} />
      {list.items.length > 0 && (
        <>
          <p class="hint">{texts.personalMore}</p>
          <table class="admin-table" aria-labelledby="everybodys-tokens">
            <thead>
              <tr>
                <th scope="col">{texts.name}</th>
                <th scope="col">{texts.whose}</th>
                <th scope="col" class="is-quiet">
                  {texts.may}
                </th>
                <th scope="col" class="is-quiet">
                  {texts.use}
                </th>
                <th scope="col">
                  <span class="visually-hidden">{strings.administration.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.items.map(token => (
                <Row key={token.id} token={token} changed={changed} />
              ))}
            </tbody>
          </table>
        </>
      )}
      <PageEnd {...list} none={username ? texts.noneOf(username) : texts.nobodys} />
    </section>
  )
}

function Row({ token, changed }: { token: AnybodysTokenPayload; changed: () => void }) {
  const { id, name, username, scopes, channels_only: channels, ended } = token
  const texts = strings.tokens
  return (
    <tr class={ended === null ? undefined : 'is-off'}>
      <th scope="row">
        {name}
        <span class="hint admin-note">{texts.ends(token.expires_ts, ended)}</span>
      </th>
      <td>
        <span class="token-person">
          <Avatar name={username} size={24} />
          <bdi title={username}>{username}</bdi>
        </span>
      </td>
      <td class="is-quiet">{texts.rights(scopes, channels?.map(nameOf) ?? null)}</td>
      <td class="is-quiet">{texts.used(token.last_used_ts, token.last_used_from)}</td>
      <td>
        {ended === null && (
          <button
            type="button"
            class="button button-quiet button-danger-text"
            aria-label={texts.endOf(name)}
            onClick={() => void act(() => endToken(id), name, changed)}
          >
            {texts.end}
          </button>
        )}
      </td>
    </tr>
  )
}
