import type {
  CustomerPrioritySession,
  PriorityDisplayState,
} from '@bancone/contract/priority-customer'
import { isKnown } from './calls.ts'

// By hand, as on the page of offers. The data comes from this application's server: only what would break the page is
// checked.

export function isSession(value: unknown): value is CustomerPrioritySession {
  return (
    isKnown(value) &&
    typeof value['status'] === 'string' &&
    typeof value['version'] === 'number' &&
    typeof value['isAttended'] === 'boolean'
  )
}

export function isUnlocked(value: unknown): value is { orderId: string; token: string } {
  return (
    isKnown(value) && typeof value['orderId'] === 'string' && typeof value['token'] === 'string'
  )
}

export function isDisplay(value: unknown): value is PriorityDisplayState {
  return (
    isKnown(value) &&
    Array.isArray(value['called']) &&
    typeof value['waiting'] === 'number' &&
    typeof value['pharmacyName'] === 'string'
  )
}
