CREATE TABLE "error_splits" (
	"project_id" uuid NOT NULL,
	"error_id" text NOT NULL,
	"first_id" text NOT NULL,
	"known_since" timestamp (6) with time zone,
	"known_until" timestamp (6) with time zone,
	"split_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "error_splits_project_id_error_id_pk" PRIMARY KEY("project_id","error_id")
);
--> statement-breakpoint
ALTER TABLE "error_splits" ADD CONSTRAINT "error_splits_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;