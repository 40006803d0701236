import classes from '../trace-list.module.css';

/** Placeholders of the filters, in the lines of the filter bar. */
export function FilterBarWaiting() {
  return (
    <div className={classes.filters} aria-hidden>
      <div className={classes.fieldWaiting} style={{ flex: '1 1 100%', height: 39 }} />
      <div className={`${classes.fieldWaiting} ${classes.search}`} />
      <div className={classes.fieldWaiting} style={{ width: 140 }} />
      <div className={classes.fieldWaiting} style={{ width: 148 }} />
      <div className={`${classes.fieldWaiting} ${classes.groupBy}`} style={{ width: 172 }} />
      <div className={classes.barEnd}>
        <p className={classes.caption} />
        <div className={classes.fieldWaiting} />
        <div className={classes.fieldWaiting} />
        <div className={`${classes.fieldWaiting} ${classes.viewsWaiting}`} />
        <div className={classes.fieldWaiting} />
      </div>
    </div>
  );
}
