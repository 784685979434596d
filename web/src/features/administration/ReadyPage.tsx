import { useEffect, useState } from 'preact/hooks'
import type { InvitePayload } from '#shared/domain/payloads/administration.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { isOnlyHere, OnlyHere } from '../../common/OnlyHere.tsx'
import { strings } from '../../i18n/i18n.ts'
import { validInvitations } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { host, workspaceName } from '../../store/store.ts'
import { announce } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import type { AdminPage } from './admin-pages.ts'
import { InviteButton } from './InviteButton.tsx'
import { isInviteOpen, openAdministration } from './open-administration.ts'
import { PageFrame } from './PageFrame.tsx'
import { type Check, checks } from './ready-checks.ts'
import './ReadyPage.css'

/** Checks of this server before an office uses it, and the way to fix each. */
export function ReadyPage() {
  const [results, setResults] = useState<(Check | undefined)[]>([])
  const [round, setRound] = useState(0)
  const texts = strings.ready
  const isDialogOpen = isInviteOpen.value
  useEffect(() => {
    if (isDialogOpen) return
    let isHere = true
    const running = checks()
    setResults(running.map(check => ('then' in check ? undefined : check)))
    running.forEach((pending, at) => {
      if ('then' in pending)
        void pending.then(check => isHere && setResults(before => before.with(at, check)))
    })
    void Promise.all(running).then(all => {
      if (isHere && round > 0) announce(summaryOf(all))
    })
    return () => {
      isHere = false
    }
  }, [round, isDialogOpen])
  const known = results.filter(check => check !== undefined)
  return (
    <PageFrame
      beside={
        <button type="button" class="button" onClick={() => setRound(round + 1)}>
          <Icon name="refresh" size={16} />
          {texts.again}
        </button>
      }
    >
      <div class="ready">
        <div>
          <p class="ready-summary">
            {known.length > 0 && known.length === results.length ? summaryOf(known) : texts.checking}
          </p>
          <ul class="setting-box">
            {results.map((check, at) =>
              check ? (
                <CheckRow key={check.id} check={check} />
              ) : (
                <li key={at} class="setting-row is-checking">
                  {texts.checking}
                </li>
              ),
            )}
          </ul>
        </div>
        <InviteCard round={round} />
      </div>
    </PageFrame>
  )
}

/** Checks that nothing can decide are not counted. */
function summaryOf(all: readonly Check[]): string {
  const counted = all.filter(({ state }) => state !== 'unknown')
  const done = counted.filter(({ state }) => state === 'ok')
  return done.length === counted.length ? strings.ready.all : strings.ready.done(done.length, counted.length)
}

const ICONS = { ok: 'check', look: 'alert', unknown: 'info' } as const

function CheckRow({ check }: { check: Check }) {
  const { id, state, line } = check
  const texts = strings.ready
  const action = state === 'look' ? actionOf(check) : undefined
  return (
    <li class="setting-row" data-check={id}>
      <span class={`ready-mark is-${state}`}>
        <Icon name={ICONS[state]} />
      </span>
      <div class="setting-text">
        <b>
          <span class="visually-hidden">{texts.states[state]} </span>
          {texts[id].title}
        </b>
        <p class="hint">{sentenceOf(check)}</p>
        {line !== undefined && (state !== 'ok' || check.case === 'authority') && (
          <div class="ready-line">
            <textarea
              readOnly
              rows={line.split('\n').length}
              value={line}
              aria-label={texts[id].title}
              onFocus={event => event.currentTarget.select()}
            />
            <IconButton
              icon="copy"
              label={texts.copy}
              onClick={() => void copyToClipboard(line, texts.copied)}
            />
          </div>
        )}
      </div>
      {action && (
        <button type="button" class="button" onClick={action.run}>
          {action.label}
        </button>
      )}
    </li>
  )
}

function sentenceOf(check: Check): string {
  const texts = strings.ready
  const isOk = check.state === 'ok'
  switch (check.id) {
    case 'secure':
      if (check.case === 'local')
        return check.line === undefined ? strings.firstSteps.onlyHere : texts.secure.local
      if (check.case === 'authority') return texts.secure.authority(`https://${host}/trust`)
      return isOk ? texts.secure.ok(host) : texts.secure.look
    case 'live':
      return isOk ? texts.live.ok : texts.live.look
    case 'calls':
      return isOk ? texts.calls.ok : texts.calls[check.state === 'look' ? 'look' : 'unknown']
    case 'signUp':
      return check.case === 'local' ? texts.signUp.local : isOk ? texts.signUp.ok : texts.signUp.look(host)
    case 'owners':
      if (check.state === 'unknown') return texts.owners.unknown
      return isOk ? texts.owners.ok(check.count ?? 0) : texts.owners.look
    case 'people':
      if (check.state === 'unknown') return texts.owners.unknown
      if (check.case === 'invited') return texts.people.invited
      return isOk ? texts.people.ok(check.count ?? 0) : texts.people.look
    case 'look':
      return isOk ? texts.look.ok(workspaceName.value) : texts.look.look
    case 'backup':
      if (check.case === 'first') return texts.backup.first(check.at ?? 0)
      if (isOk) return texts.backup.ok(check.at ?? 0)
      return check.case === 'admin'
        ? texts.backup.admin
        : texts.backup[check.state === 'look' ? 'look' : 'unknown']
  }
}

function actionOf({ id }: Check): { label: string; run: () => void } | undefined {
  const texts = strings.ready
  const to = (label: string, page: AdminPage) => ({ label, run: () => openAdministration(page) })
  if (id === 'signUp') return to(texts.signUp.action, 'invites')
  if (id === 'owners') return to(texts.owners.action, 'people')
  if (id === 'backup') return to(texts.backup.action, 'backups')
  if (id === 'look') return to(texts.look.action, 'settings')
  return undefined
}

/** The newest link for members that works, with its QR code. */
function InviteCard({ round }: { round: number }) {
  const [link, setLink] = useState<InvitePayload>()
  const texts = strings.ready
  const isDialogOpen = isInviteOpen.value
  useEffect(() => {
    validInvitations().then(
      ({ items }) => setLink(items.find(({ role }) => role === 'member')),
      tolerateFailure,
    )
  }, [round, isDialogOpen])
  return (
    <section class="ready-invite" aria-labelledby="ready-invite">
      <h2 id="ready-invite">{texts.people.title}</h2>
      {link && (
        <>
          {isOnlyHere(link.url) ? (
            <OnlyHere />
          ) : (
            <img src={`/invites/${link.id}/qr.svg`} width={168} height={168} alt={link.url} />
          )}
          <code>{link.url}</code>
          <button
            type="button"
            class="button button-primary"
            onClick={() => void copyToClipboard(link.url, strings.administration.copied)}
          >
            <Icon name="copy" size={16} />
            {strings.administration.copyLink}
          </button>
          <p class="hint">{texts.linkEnds(link.expires_ts)}</p>
        </>
      )}
      {!link && <p class="hint">{strings.administration.noInvites}</p>}
      <InviteButton />
    </section>
  )
}
