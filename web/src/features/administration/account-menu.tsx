import { maySetRole, ROLES, type Role } from '#shared/domain/roles.ts'
import { strings } from '../../i18n/i18n.ts'
import { type Account, actOnAccount, resetLink, setRole } from '../../net/administration.ts'
import { showToast } from '../../ui/feedback.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { act } from './act.ts'

interface Props {
  account: Account
  /** The role of the person who acts. */
  own: Role
  close: () => void
  changed: () => void
  showLink: (link: { name: string; url: string }) => void
  makeGuest: (name: string) => void
  edit: () => void
}

/** Role, sessions, reset link and deactivation of an account. Undo brings a deactivated account back. */
export function AccountMenu({ account, own, close, changed, showLink, makeGuest, edit }: Props) {
  const { username, role, state } = account
  const say = strings.administration
  const reactivate = () => void act(() => actOnAccount(username, 'reactivate'), username, changed)
  if (state === 'deactivated')
    return <MenuItems close={close} items={[{ label: say.reactivate, icon: 'refresh', run: reactivate }]} />
  const roles: MenuItem[] = ROLES.filter(one => one === role || maySetRole(own, role, one)).map(one => ({
    label: say.roles[one],
    checked: one === role,
    run: () => {
      if (one === role) return
      if (one === 'guest') makeGuest(username)
      else void act(() => setRole(username, one), username, changed)
    },
  }))
  const deactivated = () => {
    showToast(say.isDeactivated(username), { action: { label: strings.undo, run: reactivate } })
    changed()
  }
  return (
    <MenuItems
      close={close}
      items={[
        ...roles,
        { label: say.edit, icon: 'pencil', apart: true, run: edit },
        {
          label: say.endSessions,
          icon: 'logout',
          run: () => void act(() => actOnAccount(username, 'end_sessions'), username, changed),
        },
        {
          label: say.resetLink,
          icon: 'key',
          run: () =>
            void act(
              () => resetLink(username),
              username,
              ({ reset_url: url }) => showLink({ name: username, url }),
            ),
        },
        {
          label: say.deactivate,
          icon: 'x',
          apart: true,
          danger: true,
          run: () => void act(() => actOnAccount(username, 'deactivate'), username, deactivated),
        },
      ]}
    />
  )
}
