import { useState } from 'preact/hooks'
import type { InvitePayload } from '#shared/domain/payloads/administration.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { usePages } from '../../common/use-pages.ts'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { makeInvitation, revokeInvitation, validInvitations } from '../../net/requests/administration.ts'
import { workspaceName } from '../../store/store.ts'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { mayAdminister } from './admin-pages.ts'
import { ChannelChooser } from './ChannelChooser.tsx'
import { InvitationRow } from './InvitationRow.tsx'
import { InviteMade } from './InviteMade.tsx'
import { isInviteOpen } from './open-administration.ts'
import { PageEnd } from './PageEnd.tsx'
import './administration.css'
import './InviteDialog.css'

/** Hours; 0 has no end, which only administrators may choose. */
const LIFETIMES = [24, 168, 720] as const
const lifetimes = () => (mayAdminister() ? [...LIFETIMES, 0] : LIFETIMES)
const LONGEST_NOTE = 200
const PLACES = [1, 10, 50, null] as const

/** Makes an invitation with the chosen lifetime, places, role and channels, and shows its link and QR code. */
export function InviteDialog() {
  const [hours, setHours] = useState<number>(168)
  const [places, setPlaces] = useState<number | null>(null)
  const [role, setRole] = useState<'member' | 'guest'>('member')
  const [channels, setChannels] = useState<ChannelId[]>([])
  const [note, setNote] = useState('')
  const [made, setMade] = useState<InvitePayload>()
  const attempt = useClientId()
  const texts = strings.administration

  const making = useSubmit({
    check: () => (role === 'guest' && channels.length === 0 ? texts.guestNeedsChannel : undefined),
    async send() {
      const fields = { role, channels, expires_in_hours: hours, max_uses: places, note: note.trim() || null }
      setMade(await makeInvitation({ ...fields, client_id: attempt.idOf(fields) }))
      attempt.made()
    },
    whyNot: () => texts.notInvited,
  })
  const ending = useSubmit({
    send: () => revokeInvitation(made!.id),
    whyNot: () => texts.notEnded,
    done: () => setMade(undefined),
  })
  const end = (
    <button type="button" class="button button-quiet button-danger-text" onClick={() => void ending.submit()}>
      {texts.endLink}
    </button>
  )
  return (
    <FormDialog
      title={texts.inviteTo(workspaceName.value)}
      close={close}
      form={made ? { ...ending, submit: async () => close() } : making}
      label={made ? strings.privateChannel.done : texts.makeLink}
      cancel={false}
      beside={made && end}
    >
      {made ? (
        <InviteMade invitation={made} />
      ) : (
        <>
          <div class="invite-choices">
            <div class="field">
              <label for="invite-hours">{texts.worksFor}</label>
              <Select id="invite-hours" value={String(hours)} choose={one => setHours(Number(one))}>
                {lifetimes().map(one => (
                  <option key={one} value={String(one)}>
                    {one === 0 ? texts.noEnd : texts.days(one / 24)}
                  </option>
                ))}
              </Select>
            </div>
            <div class="field">
              <label for="invite-places">{texts.places}</label>
              <Select
                id="invite-places"
                value={String(places)}
                choose={one => setPlaces(one === 'null' ? null : Number(one))}
              >
                {PLACES.map(one => (
                  <option key={one} value={String(one)}>
                    {one === null ? texts.anyNumber : texts.people(one)}
                  </option>
                ))}
              </Select>
            </div>
            <div class="field">
              <label for="invite-role">{texts.comeInAs}</label>
              <Select
                id="invite-role"
                value={role}
                choose={one => setRole(one === 'guest' ? 'guest' : 'member')}
              >
                <option value="member">{texts.members}</option>
                <option value="guest">{texts.guests}</option>
              </Select>
            </div>
          </div>
          <ChannelChooser
            legend={role === 'guest' ? texts.guestChannels : texts.startIn}
            chosen={channels}
            onChange={setChannels}
          />
          <Field
            name="note"
            label={texts.note}
            hint={texts.noteHint}
            value={note}
            maxLength={LONGEST_NOTE}
            set={setNote}
          />
          {!mayAdminister() && <OwnLinks />}
        </>
      )}
    </FormDialog>
  )
}

/** The links of a member that still work. Administrators have a page for all. */
function OwnLinks() {
  const [changes, setChanges] = useState(0)
  const list = usePages([changes], validInvitations)
  const texts = strings.administration
  if (list.items.length === 0) return null
  return (
    <section class="own-links" aria-labelledby="own-links">
      <h3 id="own-links" class="label">
        {texts.ownLinks}
      </h3>
      <ul class="admin-list">
        {list.items.map(one => (
          <InvitationRow key={one.id} invitation={one} changed={() => setChanges(changes + 1)} />
        ))}
      </ul>
      <PageEnd {...list} none="" />
    </section>
  )
}

const close = () => {
  isInviteOpen.value = false
}
