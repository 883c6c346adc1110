import { type ComponentType, createContext } from 'react'

export type PrescriptionsProps = {
  /** A text of a customer. */
  text: string
  /** The order that the text belongs to, if there is one yet. */
  recordId: string | null
  /** Offers to ask the customer for what is missing, with a text that has the placeholders of reply texts. */
  onAsk?: ((reply: { title: string; text: string }) => void) | undefined
}

/** Loads what shows the codes of prescriptions; null where they must not be shown. A feature provides it. */
export const PrescriptionsContext = createContext<
  (() => Promise<ComponentType<PrescriptionsProps>>) | null
>(null)
