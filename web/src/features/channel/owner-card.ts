import { computed, signal } from '@preact/signals'
import { persisted } from '../../store/persisted.ts'
import { me, viewer } from '../../store/store.ts'

const entry = persisted(`bothy owner card ${viewer}`)
const isPutAway = signal(entry.read() === 'away')

export const hasOwnerCard = computed(() => me.value?.role === 'owner' && !isPutAway.value)

export function putOwnerCardAway() {
  isPutAway.value = true
  entry.write('away')
}
