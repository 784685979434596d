import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { isInviteOpen } from './open-administration.ts'

export function InviteButton() {
  return (
    <button
      type="button"
      class="button button-primary"
      onClick={() => {
        isInviteOpen.value = true
      }}
    >
      <Icon name="user-plus" size={16} />
      {strings.administration.invite}
    </button>
  )
}
