/**
 * Why a data file cannot be used: another process has it (`in_use`), it is not one of ours (`foreign`), it was written
 * by a later version (`newer`), a line of it is damaged (`damaged`), or the system failed (`unusable`).
 */
export type DataFileErrorCode = 'in_use' | 'foreign' | 'newer' | 'damaged' | 'unusable';

/** A data file that cannot be used. It is left as it was. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  readonly code: DataFileErrorCode;

  constructor(code: DataFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
