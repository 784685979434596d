import type { InvitePayload } from '#shared/domain/payloads/administration.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { revokeInvitation } from '../../net/requests/administration.ts'
import { nameOf } from '../../store/channels/names.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { act } from './act.ts'

interface Props {
  title: string
  /** At the end of the title's line. */
  hint?: string
  invitations: readonly InvitePayload[]
  changed: () => void
}

/** Invitations that work, or those that have ended. Nothing without any. */
export function InvitationTable({ title, hint, invitations, changed }: Props) {
  if (invitations.length === 0) return null
  const texts = strings.administration
  return (
    <section class="invitations">
      <div class="invitations-head">
        <h2>{title}</h2>
        {hint && <span class="hint">{hint}</span>}
      </div>
      <table class="admin-table" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{texts.link}</th>
            <th scope="col">{texts.madeBy}</th>
            <th scope="col" class="is-quiet">
              {texts.startsIn}
            </th>
            <th scope="col">{texts.joined}</th>
            <th scope="col" class="is-quiet">
              {texts.endHead}
            </th>
            <th scope="col">
              <span class="visually-hidden">{texts.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invitations.map(one => (
            <Row key={one.id} invitation={one} changed={changed} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** C copies the link of the row that has the focus. */
function Row({ invitation, changed }: { invitation: InvitePayload; changed: () => void }) {
  const { id, url, role, channels, created_by: by, note, uses, max_uses: most, valid } = invitation
  const texts = strings.administration
  const end = valid ? texts.endsAt(invitation.expires_ts) : texts.endedBy[invitation.ended ?? 'used']
  const copy = () => void copyToClipboard(url, texts.copied)
  return (
    <tr
      class={valid ? undefined : 'is-off'}
      onKeyDown={event => {
        if (event.key.toLowerCase() !== 'c' || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        event.stopPropagation()
        copy()
      }}
    >
      <th scope="row">
        <code class="invite-url">{url.slice(url.lastIndexOf('/') + 1)}</code>
        {note !== null && <span class="hint">{note}</span>}
        {role === 'guest' && <span class="hint">{texts.forGuests}</span>}
        <span class="hint invite-end">{end}</span>
      </th>
      <td>
        <span class="admin-person">
          <Avatar name={by} size={24} />
          {by}
        </span>
      </td>
      <td class="is-quiet">{channels.length === 0 ? texts.usualStart : channels.map(nameOf).join(', ')}</td>
      <td>
        <span class="tabular-numbers">{texts.joinedOf(uses, most)}</span>
        {most !== null && <progress class="invite-places" max={most} value={uses} aria-hidden="true" />}
      </td>
      <td class="is-quiet">{end}</td>
      <td class="invite-actions">
        {valid && (
          <>
            <IconButton icon="copy" size={28} label={texts.copy} aria-keyshortcuts="c" onClick={copy} />
            <IconButton
              icon="trash"
              size={28}
              label={texts.endLink}
              onClick={() => void act(() => revokeInvitation(id), texts.link, changed)}
            />
          </>
        )}
      </td>
    </tr>
  )
}
