/** The value of a field for a number that may be empty. */
export const numberOrNull = (text: unknown) => (text === '' || text === null ? null : Number(text))
