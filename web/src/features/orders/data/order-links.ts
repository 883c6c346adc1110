import type { OrderPickup } from '@bancone/contract/orders'
import { type ComponentType, createContext, useContext } from 'react'

/** Opens the dialog with the links of orders. @param opener gets the focus back */
export type IssueLinks = (recordIds: readonly string[], opener: HTMLElement) => void

/** How links for customers are issued; null for a pharmacy that has none. Another feature provides it. */
export const IssueLinksContext = createContext<IssueLinks | null>(null)

export function useIssueLinks(): IssueLinks | null {
  return useContext(IssueLinksContext)
}

export type CustomerMessagesProps = {
  recordId: string
  number: string
  customer: string | null
  phone: string | null
  status: string
  pickup: OrderPickup
}

/** What another feature shows of messages between the pharmacy and its customers. */
export type CustomerMessaging = {
  /** Orders that customers have written, above the list. `live`: realtime events arrive. */
  loadDraftsBanner(): Promise<ComponentType<{ live: boolean }>>
  /** In the details of an order. */
  loadCustomerMessages(): Promise<ComponentType<CustomerMessagesProps>>
}

/** Loads them; null for a pharmacy without WhatsApp. */
export const MessagingContext = createContext<(() => Promise<CustomerMessaging>) | null>(null)
