CREATE TABLE "finding_decisions" (
	"project_id" uuid NOT NULL,
	"finding_id" text NOT NULL,
	"state" text NOT NULL,
	"until" timestamp (6) with time zone,
	"decided_by" uuid,
	"decided_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "finding_decisions_project_id_finding_id_pk" PRIMARY KEY("project_id","finding_id")
);
--> statement-breakpoint
ALTER TABLE "finding_decisions" ADD CONSTRAINT "finding_decisions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_decisions" ADD CONSTRAINT "finding_decisions_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;