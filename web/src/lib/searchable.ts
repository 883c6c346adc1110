/** A text as lists are searched: lower case, without accents, with one kind of apostrophe. */
export function searchable(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[’‘ʼ`´′]/g, "'")
    .toLowerCase()
}
