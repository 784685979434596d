import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import type { Call } from './call.ts'
import { dialog } from './state.ts'

/** Participants from which hanging up leaves the call; with fewer it ends the call. */
const GROUP = 3

/** Hangs up; in a group a menu beside it offers to end the call for everybody, and asks. */
export function EndControls({ call }: { call: Call }) {
  const label = endLabel(call)
  return (
    <span class="call-control-group is-end">
      <button
        type="button"
        class="call-control"
        aria-label={label}
        title={label}
        onClick={() => hangUp(call)}
      >
        <Icon name="phone-down" size={20} />
        <span>{label}</span>
      </button>
      {call.size.value >= GROUP && (
        <button
          type="button"
          class="call-control"
          aria-label={strings.calls.endMenu}
          title={strings.calls.endMenu}
          aria-haspopup="menu"
          onClick={event => openEndMenu(event.currentTarget)}
        >
          <Icon name="chev-up" size={14} />
        </button>
      )}
    </span>
  )
}

export const endLabel = (call: Call) =>
  call.size.value >= GROUP ? strings.calls.leave : strings.calls.hangUp

export function hangUp(call: Call) {
  call.hangUp(call.size.peek() >= GROUP ? 'leave' : 'end')
}

function openEndMenu(anchor: HTMLElement) {
  openPopover(
    anchor,
    strings.calls.endMenu,
    close => (
      <MenuItems
        close={close}
        items={[
          {
            label: strings.calls.endForAllMenu,
            icon: 'phone-down',
            danger: true,
            run: () => {
              dialog.value = 'end for all'
            },
          },
        ]}
      />
    ),
    { role: 'menu' },
  )
}
