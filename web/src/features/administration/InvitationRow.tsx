import type { InvitePayload } from '#shared/domain/payloads/administration.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { revokeInvitation } from '../../net/requests/administration.ts'
import { act } from './act.ts'

/** A link with its numbers; an ended one says why. C copies the link of the row that has the focus. */
export function InvitationRow({ invitation, changed }: { invitation: InvitePayload; changed: () => void }) {
  const { id, url, role, created_by: by, note, uses, max_uses: most } = invitation
  const texts = strings.administration
  const copy = () => void copyToClipboard(url, texts.copied)
  return (
    <li
      class={invitation.valid ? 'admin-row' : 'admin-row is-off'}
      onKeyDown={event => {
        if (event.key.toLowerCase() !== 'c' || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        event.stopPropagation()
        copy()
      }}
    >
      <div>
        <code class="invite-url">{url}</code>
        {note !== null && <span>{note}</span>}
        <span class="hint">
          {texts.invitation(by, role === 'guest' ? texts.guests : texts.members, uses, most)}{' '}
          {invitation.valid
            ? texts.ends(invitation.expires_ts, null)
            : texts.endedBy[invitation.ended ?? 'used']}
        </span>
      </div>
      {invitation.valid && (
        <>
          <button type="button" class="button" aria-keyshortcuts="c" onClick={copy}>
            {texts.copy}
          </button>
          <button
            type="button"
            class="button button-quiet button-danger-text"
            onClick={() => void act(() => revokeInvitation(id), texts.link, changed)}
          >
            {texts.endLink}
          </button>
        </>
      )}
    </li>
  )
}
