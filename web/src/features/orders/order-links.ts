import { createContext, useContext } from 'react'

/** An order whose customer gets a link. `number` is null when the order has not been on screen. */
export type LinkedOrder = { recordId: string; number: string | null }

/** Opens the dialog with the links of orders. @param opener gets the focus back */
export type IssueLinks = (orders: readonly LinkedOrder[], opener: HTMLElement) => void

/** How links for customers are issued; null for a pharmacy that has none. Another feature provides it. */
export const IssueLinksContext = createContext<IssueLinks | null>(null)

export function useIssueLinks(): IssueLinks | null {
  return useContext(IssueLinksContext)
}
