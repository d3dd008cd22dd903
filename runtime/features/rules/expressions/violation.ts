/** The reason why a record cannot be as it would be. */
export interface Violation {
  /** The field it is about; none if it is about the whole record. */
  readonly field?: string;
  readonly message: string;
}
