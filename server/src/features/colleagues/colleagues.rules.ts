import type { Colleague } from '@bancone/contract/colleagues'

type Person = Omit<Colleague, 'isYou'> & { userId: string }

const inItalian = new Intl.Collator('it', { sensitivity: 'base', numeric: true })

/** The pharmacy's own account first, then the others by name. @param asking the id of the requesting user */
export function shownColleagues(
  primary: Person,
  others: readonly Person[],
  asking: string,
): Colleague[] {
  const sorted = others.toSorted(
    (a, b) => inItalian.compare(a.name, b.name) || inItalian.compare(a.email, b.email),
  )
  return [primary, ...sorted].map(({ userId, ...person }) => ({
    ...person,
    isYou: userId === asking,
  }))
}
