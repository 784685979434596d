import type { AccountPayload } from '#shared/domain/payloads/administration.ts'
import { maySetRole, ROLES, type Role } from '#shared/domain/roles.ts'
import { strings } from '../../i18n/i18n.ts'
import { actOnAccount, resetLink, setRole } from '../../net/requests/administration.ts'
import { viewer } from '../../store/store.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { act } from './act.ts'

/** The dialogs about an account. */
export type Question = 'edit' | 'guest' | 'rename' | 'sessions' | 'deactivate' | 'delete'

interface Props {
  account: AccountPayload
  /** The role of the person who acts. */
  own: Role
  close: () => void
  changed: () => void
  showLink: (link: { name: string; url: string }) => void
  ask: (question: Question) => void
}

/** Acts on an account. Owners may give up their own role; everything else of one's own is in the settings. */
export function AccountMenu(props: Props) {
  const { account, own, close, changed, ask } = props
  const { username, state } = account
  const texts = strings.administration
  const deletion: MenuItem[] =
    own === 'owner'
      ? [{ label: texts.deleteAccount, icon: 'trash', danger: true, run: () => ask('delete') }]
      : []
  if (state === 'deactivated') {
    const reactivate = () => void act(() => actOnAccount(username, 'reactivate'), username, changed)
    return (
      <MenuItems
        close={close}
        items={[
          { label: texts.reactivate, icon: 'refresh', run: reactivate },
          ...deletion.map(item => ({ ...item, apart: true })),
        ]}
      />
    )
  }
  if (username === viewer) return <MenuItems close={close} items={rolesFor(props)} />
  return (
    <MenuItems
      close={close}
      items={[
        ...rolesFor(props),
        { label: texts.edit, icon: 'pencil', apart: true, run: () => ask('edit') },
        { label: texts.rename, icon: 'at', run: () => ask('rename') },
        ...access(props),
        { label: texts.deactivate, icon: 'x', apart: true, danger: true, run: () => ask('deactivate') },
        ...deletion,
      ]}
    />
  )
}

function rolesFor({ account: { username, role }, own, changed, ask }: Props): MenuItem[] {
  return ROLES.filter(one => one === role || maySetRole(own, role, one)).map(one => ({
    label: strings.administration.roles[one],
    checked: one === role,
    run: () => {
      if (one === role) return
      if (one === 'guest') ask('guest')
      else void act(() => setRole(username, one), username, changed)
    },
  }))
}

function access({ account: { username }, showLink, ask }: Props): MenuItem[] {
  const texts = strings.administration
  return [
    { label: texts.endSessions, icon: 'logout', run: () => ask('sessions') },
    {
      label: texts.resetLink,
      icon: 'key',
      run: () =>
        void act(
          () => resetLink(username),
          username,
          ({ reset_url: url }) => showLink({ name: username, url }),
        ),
    },
  ]
}
