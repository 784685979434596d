import { strings } from '../../i18n/i18n.ts'
import { changeIncomingHook, newHookAddress, removeIncomingHook } from '../../net/requests/hooks.ts'
import { showToast } from '../../ui/feedback.ts'
import type { Question } from './AskDialog.tsx'

/** As its messages name it. */
interface Named {
  id: number
  name: string
}

export function newAddressQuestion({ id, name }: Named, made: (url: string) => void): Question {
  const texts = strings.hooks
  return {
    title: texts.newAddressOf(name),
    more: texts.newAddressMore,
    label: texts.newAddress,
    name,
    run: () => newHookAddress(id),
    done: response => made((response as { url: string }).url),
  }
}

export function removalQuestion({ id, name }: Named, removed: () => void): Question {
  const texts = strings.hooks
  return {
    title: texts.removeOf(name),
    more: texts.removeMore,
    label: texts.remove,
    danger: true,
    name,
    run: () => removeIncomingHook(id),
    done: () => {
      showToast(texts.isRemoved(name))
      removed()
    },
  }
}

export function unsigningQuestion({ id, name }: Named, changed: () => void): Question {
  const texts = strings.hooks
  return {
    title: texts.endSecretOf(name),
    more: texts.endSecretMore,
    label: texts.endSecret,
    danger: true,
    name,
    run: () => changeIncomingHook(id, { sign_secret: null }),
    done: () => {
      showToast(texts.isUnsigned(name))
      changed()
    },
  }
}
