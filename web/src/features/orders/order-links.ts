import { createContext, useContext } from 'react'

/** Opens the dialog with the links of orders. @param opener gets the focus back */
export type IssueLinks = (recordIds: readonly string[], opener: HTMLElement) => void

/** How links for customers are issued; null for a pharmacy that has none. Another feature provides it. */
export const IssueLinksContext = createContext<IssueLinks | null>(null)

export function useIssueLinks(): IssueLinks | null {
  return useContext(IssueLinksContext)
}
